// What the page does beyond Swagger UI, as a plugin of it.
/* global LosslessJSON */

export const Plugin = ({ React }) => {
  const { createElement, useEffect, useRef, useState } = React;

  /** The JSON of an answer, with its numbers as they came. */
  const ExactBody = (Original) => (props) => {
    const { content, contentType, getComponent } = props;
    if (typeof content !== 'string' || !/json/i.test(contentType)) return createElement(Original, props);
    let text = content;
    try {
      text = LosslessJSON.stringify(LosslessJSON.parse(content), undefined, 2);
    } catch {
      // Not JSON after all: shown as it came.
    }
    const code = { language: 'json', downloadable: true, fileName: 'response.json', canCopy: true };
    return createElement(
      'div',
      null,
      createElement('h5', null, 'Response body'),
      createElement(getComponent('HighlightCode', true), code, text),
    );
  };

  /** The operation with an answer to scroll to. Swagger UI mounts old answers again on typing. */
  let answered = '';

  /** Scrolls to each new answer. */
  const VisibleAnswer = (Original) => (props) => {
    const place = useRef(null);
    useEffect(() => {
      if (answered !== `${props.method} ${props.path}`) return;
      answered = '';
      place.current.querySelector('.live-responses-table').scrollIntoView({ block: 'center' });
    });
    return createElement('div', { ref: place }, createElement(Original, props));
  };

  /** Shows the status and the first sentence of an error response, and the rest on demand. */
  const CollapsedError = (Original) => (props) => {
    const { code, response } = props;
    const [isOpen, setOpen] = useState(false);
    if (!/^[45]/.test(code)) return createElement(Original, props);
    const [summary] = response
      .get('description', '')
      .replaceAll('`', '')
      .split(/(?<=\.)\s/);
    const toggle = {
      'aria-expanded': isOpen,
      className: 'error-toggle',
      onClick: () => setOpen(!isOpen),
      type: 'button',
    };
    return createElement(
      React.Fragment,
      null,
      createElement(
        'tr',
        { className: 'error-summary' },
        createElement('td', { className: 'response-col_status' }, code),
        createElement('td', { colSpan: 2 }, createElement('button', toggle, summary)),
      ),
      isOpen && createElement(Original, props),
    );
  };

  /** Code samples behind buttons, which the keyboard reaches; Swagger UI's own tabs it does not. */
  const CodeSamples = ({ request, requestSnippetsSelectors, getComponent }) => {
    const samples = [...requestSnippetsSelectors.getSnippetGenerators().values()];
    const [active, setActive] = useState(0);
    const choose = (sample, index) =>
      createElement(
        'button',
        { 'aria-pressed': index === active, key: index, onClick: () => setActive(index), type: 'button' },
        sample.get('title'),
      );
    const code = { language: samples[active].get('syntax'), canCopy: true, className: 'curl' };
    return createElement(
      'div',
      { className: 'code-samples' },
      createElement('h4', null, 'Request'),
      createElement('div', { 'aria-label': 'Language', role: 'group' }, samples.map(choose)),
      createElement(getComponent('HighlightCode', true), code, samples[active].get('fn')(request)),
    );
  };

  /** The path of an operation as plain text: its button already puts the operation into the URL. */
  const PlainText = ({ text }) => createElement('span', null, text);

  return {
    components: { DeepLink: PlainText, RequestSnippets: CodeSamples },
    wrapComponents: { liveResponse: VisibleAnswer, response: CollapsedError, responseBody: ExactBody },
    statePlugins: {
      spec: {
        wrapActions: {
          setResponse:
            (original) =>
            (path, method, ...others) => {
              answered = `${method} ${path}`;
              return original(path, method, ...others);
            },
          // "Execute" validates first: what it refuses has no answer, and the former one goes.
          validateParams:
            (original, { specActions }) =>
            (operation, ...others) => {
              specActions.clearResponse(...operation);
              return original(operation, ...others);
            },
        },
      },
    },
  };
};

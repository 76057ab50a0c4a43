// Runs in the browser, after lossless-json.js and swagger-ui.js: shows the contract of the service that the page came from.
/* global document, LosslessJSON, MutationObserver, SwaggerUIBundle, URL, fetch */

/**
 * Swagger UI would round a number beyond 2^53, and another plant would be shown or deleted. As a text it stays what it is, in the field of a
 * parameter too; an example of a body has it in quotes.
 */
const exactNumber = (text) => (Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text) ? Number(text) : text);

/** Shows the JSON of an answer with its numbers as they came. */
const ExactAnswers = ({ React }) => ({
  wrapComponents: {
    responseBody: (Original) => (props) => {
      const { content, contentType, getComponent } = props;
      if (typeof content !== 'string' || !/json/i.test(contentType)) return React.createElement(Original, props);
      let text = content;
      try {
        text = LosslessJSON.stringify(LosslessJSON.parse(content), undefined, 2);
      } catch {
        // No JSON after all: shown as it came.
      }
      const code = { language: 'json', downloadable: true, fileName: 'response.json', canCopy: true };
      return React.createElement(
        'div',
        null,
        React.createElement('h5', null, 'Response body'),
        React.createElement(getComponent('HighlightCode', true), code, text),
      );
    },
  },
});

/** What Swagger UI gives no name, or another one than it shows, and what scrolls but cannot be reached with the keyboard. */
const ATTRIBUTES = [
  ['.servers select', 'aria-label', 'Server'],
  ['.examples-select select', 'aria-label', 'Example'],
  ['.content-type', 'aria-label', 'Media type'],
  ['.close-modal', 'aria-label', 'Close'],
  ['[aria-label="Apply credentials"]', 'aria-label', 'Authorize: apply credentials'],
  ['[aria-label="Remove authorization"]', 'aria-label', 'Logout: remove authorization'],
  ['.auth-container input', 'autocomplete', 'off'],
  ['pre', 'tabindex', '0'],
];

function setAttributes() {
  for (const [selector, name, value] of ATTRIBUTES) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }
}

const contract = new URL('../openapi.json', import.meta.url);
const response = await fetch(contract);
const spec = LosslessJSON.parse(await response.text(), undefined, exactNumber);
// Where the page came from, requests go too: behind a proxy that the service does not trust, it knows itself by another name and path.
spec.servers = (spec.servers ?? [{ url: '/' }]).map(({ url }) => {
  const { pathname } = new URL(url, contract.origin);
  return { url: new URL(`.${pathname}`, contract).href.replace(/\/$/, '') };
});
document.title = `${spec.info.title}: API reference`;
new MutationObserver(setAttributes).observe(document.body, { childList: true, subtree: true });
SwaggerUIBundle({
  spec,
  domNode: document.getElementById('docs'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [ExactAnswers],
  layout: 'BaseLayout',
  deepLinking: false,
  // The token stays in the memory of the page, and the contract goes to no validator.
  persistAuthorization: false,
  validatorUrl: 'none',
  syntaxHighlight: { theme: 'monokai' },
});

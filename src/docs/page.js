// Runs in the browser, after lossless-json.js and swagger-ui.js. Shows the contract of its service.
/* global document, LosslessJSON, MutationObserver, SwaggerUIBundle, URL, fetch */

/**
 * Keeps integers beyond 2^53 as texts: Swagger UI would round them and show or delete another
 * plant. Parameter fields show them as usual, examples of bodies in quotes.
 */
const exactNumber = (text) => (Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text) ? Number(text) : text);

/** Shows the JSON of a response with its original numbers. */
const ExactAnswers = ({ React }) => ({
  wrapComponents: {
    responseBody: (Original) => (props) => {
      const { content, contentType, getComponent } = props;
      if (typeof content !== 'string' || !/json/i.test(contentType)) return React.createElement(Original, props);
      let text = content;
      try {
        text = LosslessJSON.stringify(LosslessJSON.parse(content), undefined, 2);
      } catch {
        // Invalid JSON is shown unchanged.
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

/**
 * Attributes for accessibility: names of controls that have none or a different visible text, and
 * keyboard focus for scrollable parts.
 */
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
// Requests go to the page's origin: behind a proxy that the service does not trust, the contract
// names another host and path.
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
  // Keeps the token in memory only, and sends the contract to no external validator.
  persistAuthorization: false,
  validatorUrl: 'none',
  syntaxHighlight: { theme: 'monokai' },
});

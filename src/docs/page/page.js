// Shows the contract of the service that the page came from. Runs in the browser, after
// lossless-json.js and swagger-ui.js.
/* global document, LosslessJSON, matchMedia, MutationObserver, SwaggerUIBundle, URL, fetch */
import { codeSamples } from './code-samples.js';
import { Plugin } from './plugin.js';

/**
 * Keeps an integer beyond 2^53 as text: Swagger UI would round it and delete another plant.
 */
const exactNumber = (text) => (Number.isSafeInteger(Number(text)) || !/^-?\d+$/.test(text) ? Number(text) : text);

/** Accessible names that Swagger UI lacks, and scrollable areas that the keyboard must reach. */
const ATTRIBUTES = [
  ['.servers select', 'aria-label', 'Server'],
  ['.examples-select select', 'aria-label', 'Example'],
  ['.content-type', 'aria-label', 'Media type'],
  ['.close-modal', 'aria-label', 'Close'],
  ['[aria-label="Apply credentials"]', 'aria-label', 'Authorize: apply credentials'],
  ['[aria-label="Remove authorization"]', 'aria-label', 'Logout: remove authorization'],
  ['.auth-container input', 'autocomplete', 'off'],
  ['pre:not(.version), .info table', 'tabindex', '0'],
];

function setAttributes() {
  for (const [selector, name, value] of ATTRIBUTES) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value);
    }
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const setColors = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColors);
setColors();

const contract = new URL('../openapi.json', import.meta.url);
const response = await fetch(contract);
const spec = LosslessJSON.parse(await response.text(), undefined, exactNumber);
// Requests go where the page came from: behind an untrusted proxy, the service knows itself by
// another name and path.
spec.servers = (spec.servers ?? [{ url: '/' }]).map(({ url }) => {
  const { pathname } = new URL(url, contract.origin);
  return { url: new URL(`.${pathname}`, contract).href.replace(/\/$/, '') };
});
document.title = `${spec.info.title}: API reference`;
new MutationObserver(setAttributes).observe(document.body, { childList: true, subtree: true });
const ui = SwaggerUIBundle({
  spec,
  domNode: document.getElementById('docs'),
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [Plugin, codeSamples(spec)],
  layout: 'BaseLayout',
  deepLinking: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  requestSnippets: {
    languages: ['curl_bash', 'typescript', 'python'],
    generators: {
      curl_bash: { title: 'curl', syntax: 'bash' },
      typescript: { title: 'TypeScript', syntax: 'javascript' },
      python: { title: 'Python', syntax: 'python' },
    },
  },
  requestInterceptor: (request) => {
    // A token may be pasted together with the scheme in front of it.
    const { Authorization: authorization } = request.headers;
    if (authorization !== undefined) request.headers.Authorization = authorization.replace(/^(Bearer\s+)+/i, 'Bearer ');
    return request;
  },
  // The link under the title.
  onComplete: () => ui.specActions.updateUrl(new URL('openapi.yaml', contract).href),
  // The token stays in the memory of the page. The contract is sent to no validator.
  persistAuthorization: false,
  validatorUrl: 'none',
  syntaxHighlight: { theme: 'monokai' },
});

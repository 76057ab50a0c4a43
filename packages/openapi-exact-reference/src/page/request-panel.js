// The request of an operation: as code, as fields, and its response.
/* global document, AbortController, navigator, setTimeout, getSelection */
import { credentialFields, credentialsOf, requirementText } from './credentials.js';
import { element } from './element.js';
import { bodyFields, choiceField, parameterField } from './fields.js';
import { requestOf } from './request.js';
import { showResponse } from './response-view.js';
import { SAMPLES } from './samples.js';

/** The language that was chosen last, for all operations. */
let language = SAMPLES[0][0];

/** The panel of an operation. */
export function requestPanel(contract, operation) {
  const requirements = operation.security.length === 0 ? [{}] : operation.security;
  let [requirement] = requirements;
  let [{ url: baseUrl }] = operation.servers;
  const accepts = acceptedTypes(operation);
  let accept;

  const code = element('pre', { class: 'sample', tabindex: '0' });
  const place = element('div', { class: 'credentials' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const heading = element('h2', { hidden: true }, 'Response');
  // A screen reader says what changes in an element that is there already (WCAG 2.2, 4.1.3).
  const status = element('p', { role: 'status' });
  const details = element('div');
  const response = element('div', { class: 'response' }, heading, status, details);
  const fields = operation.parameters.map((parameter) => [parameter, parameterField(contract, parameter)]);
  // It calls back while it is made.
  let body;
  const update = () => {
    if (body !== undefined) showSample(code, contract, read({ isDraft: true }));
  };
  // Neither a browser nor fetch sends a body with these.
  const isBodiless = operation.body !== undefined && ['GET', 'HEAD'].includes(operation.method);
  body = bodyFields(contract, isBodiless ? undefined : operation.body, update);
  const note = isBodiless && element('p', { class: 'note' }, `A browser sends no body with ${operation.method}.`);

  /** @throws Error of a field; a draft leaves such a field out. */
  function read({ isDraft }) {
    const valueOf = (field) => {
      try {
        return field.read({ isDraft });
      } catch (error) {
        if (!isDraft) throw error;
        error.input?.removeAttribute('aria-invalid');
        return error.input?.value;
      }
    };
    const values = fields
      .map(([parameter, field]) => [parameter, valueOf(field)])
      .filter(([, value]) => value !== undefined);
    const credentials = credentialsOf(contract, requirement);
    return requestOf(operation, { baseUrl, values, credentials, accept, body: valueOf(body) });
  }

  function clearResponse() {
    heading.hidden = true;
    status.replaceChildren();
    details.replaceChildren();
  }

  const showCredentials = () => place.replaceChildren(...credentialFields(contract, requirement));
  const choices = [];
  if (operation.servers.length > 1) {
    const names = operation.servers.map(({ url, name }) => (name === undefined ? url : `${name}: ${url}`));
    choices.push(choiceField('Server', names, (_, index) => ((baseUrl = operation.servers[index].url), update())));
  }
  if (requirements.length > 1) {
    const names = requirements.map(requirementText);
    choices.push(
      choiceField(
        'Authentication',
        names,
        (_, index) => ((requirement = requirements[index]), showCredentials(), update()),
      ),
    );
  }
  if (accepts.length > 1) {
    [accept] = accepts;
    choices.push(choiceField('Accept', accepts, (type) => ((accept = type), update())));
  }
  showCredentials();

  const button = element('button', { type: 'submit', class: 'send' }, 'Send');
  let sending;
  async function submit(event) {
    event.preventDefault();
    if (sending !== undefined) return sending.abort();
    problem.textContent = '';
    clearResponse();
    let request;
    try {
      request = read({ isDraft: false });
    } catch (error) {
      problem.textContent = `${error.message}.`;
      return error.input?.focus();
    }
    sending = new AbortController();
    button.textContent = 'Cancel';
    try {
      heading.hidden = false;
      await showResponse({ status, details }, request, sending.signal);
    } catch (error) {
      if (sending.signal.aborted) status.append(status.hasChildNodes() ? ' · cancelled' : 'Cancelled');
      else {
        clearResponse();
        problem.textContent = `There is no complete response: ${error.message.replace(/\.$/, '')}.`;
      }
    }
    sending = undefined;
    button.textContent = 'Send';
  }

  const form = element(
    'form',
    { novalidate: true, autocomplete: 'off', oninput: update, onchange: update, onsubmit: submit },
    ...[choices, place, fields.map(([, field]) => field.element), body.element, note, button, problem],
  );
  const languages = languageButtons(() => update());
  const panel = element('section', { class: 'panel', 'aria-label': 'Request' }, languages, code, form, response);
  // Another operation may have changed the language or a credential.
  panel.refresh = () => {
    showCredentials();
    languages.refresh();
    update();
  };
  panel.refresh();
  return panel;
}

function showSample(code, contract, request) {
  const [, sample] = SAMPLES.find(([name]) => name === language);
  code.textContent = sample(contract, request);
}

/** A button for each language, and one to copy the sample. */
function languageButtons(changed) {
  const buttons = SAMPLES.map(([name]) =>
    element('button', { type: 'button', onclick: () => ((language = name), bar.refresh(), changed()) }, name),
  );
  const copy = element('button', { type: 'button', class: 'copy', onclick: () => copySample(copy) }, 'Copy');
  const group = element('div', { role: 'group', 'aria-label': 'Language' }, buttons);
  const bar = element('div', { class: 'bar' }, group, copy);
  bar.refresh = () => {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.textContent === language));
  };
  return bar;
}

async function copySample(button) {
  const code = button.closest('.panel').querySelector('.sample');
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  } catch {
    // Without TLS the clipboard is missing: the user can copy the selection.
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  }
}

/** The media types that a success may have. */
function acceptedTypes({ responses }) {
  const successes = responses.filter(([status]) => status.startsWith('2'));
  return [...new Set(successes.flatMap(([, { content = {} }]) => Object.keys(content)))].filter(
    (type) => !type.includes('*'),
  );
}

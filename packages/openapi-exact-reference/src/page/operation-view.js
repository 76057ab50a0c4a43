// Shows an operation: what it does, its parameters, body and responses, beside a request.
import { requirementText } from './credentials.js';
import { linkTo, schemaName } from './contract.js';
import { element, externalDocsView, folded } from './element.js';
import { examplesOf, textOf } from './example.js';
import { firstSentence, markdown } from './markdown.js';
import { requestPanel } from './request-panel.js';
import { fieldsOf, inner, limits, typeView, valueList, valueRow } from './schema-view.js';
import { exampleItems, streamText } from './stream-items.js';
import { tagTitle } from './tags.js';

/** What an item is in each format of a stream. */
const ITEMS = {
  lines: 'Each line is one item, as JSON.',
  records: 'Each record is one item, as JSON behind a record separator (RFC 7464).',
  events: 'Each event is one item.',
  parts: 'Each part is one item.',
};
const PLACES = { path: 'Path', query: 'Query', querystring: 'Query', header: 'Headers', cookie: 'Cookies' };

/** @returns the article of an operation, and the panel of its request if clients send it. */
export function operationView(contract, operation) {
  const article = element(
    'article',
    {},
    element('h1', { tabindex: '-1' }, operation.title),
    element('p', { class: 'path' }, `${operation.method} ${operation.path}`),
    operation.labels.map((tag) => element('p', { class: 'type' }, `${tag.kind}: ${tagTitle(tag)}`)),
    operation.deprecated && element('p', { class: 'note' }, 'Deprecated: a later version may not have this operation.'),
    operation.isWebhook && element('p', { class: 'note' }, 'The service sends this request.'),
    markdown(operation.description, 1),
    externalDocsView(operation.externalDocs),
    !operation.isWebhook && authentication(operation),
    messages(contract, operation),
    everyError(contract, operation),
    callbacksView(contract, operation),
  );
  return operation.isWebhook ? [article] : [article, requestPanel(contract, operation)];
}

/** What a client sends, and what it may get. */
function messages(contract, operation) {
  return [
    Object.entries(PLACES).map(([place, title]) => parametersIn(contract, operation, place, title)),
    requestBody(contract, operation.body),
    element('h2', {}, 'Responses'),
    element(
      'div',
      { class: 'responses' },
      operation.responses.map((entry) => responseView(contract, ...entry)),
    ),
  ];
}

/** The requests that the service sends because of an operation, each on demand. */
function callbacksView(contract, operation) {
  const callbacks = contract.callbacksOf(operation);
  if (callbacks.length === 0) return [];
  return [
    element('h2', {}, 'Callbacks'),
    element('p', { class: 'soft' }, 'The service sends these requests.'),
    callbacks.map((callback) =>
      folded(
        `${callback.name}: ${callback.method} ${callback.path}`,
        () => [markdown(callback.description), messages(contract, callback)],
        { class: 'inner' },
      ),
    ),
  ];
}

/** Only where there is a choice or a scope: the panel shows the rest. */
function authentication({ security }) {
  const hasScopes = security.flatMap(Object.values).some((scopes) => scopes.length > 0);
  if (security.length < 2 && !hasScopes) return undefined;
  return element(
    'p',
    { class: 'type' },
    `Authentication: ${security.map(requirementText).join(', or ')}. `,
    element('a', { href: linkTo.authentication }, 'More'),
  );
}

function parametersIn(contract, { parameters }, place, title) {
  const rows = parameters
    .filter((parameter) => parameter.in === place)
    .map((parameter) =>
      valueRow(contract, {
        ...parameter,
        schema: parameter.schema ?? Object.values(parameter.content ?? {})[0]?.schema,
      }),
    );
  return rows.length === 0 ? [] : [element('h2', {}, title), valueList(rows)];
}

function requestBody(contract, body) {
  if (body === undefined) return [];
  return [
    element('h2', {}, 'Body', body.required === true && element('span', { class: 'required' }, ' required')),
    markdown(body.description),
    contentView(contract, body.content ?? {}),
  ];
}

/**
 * The media types of a body. Those that share a named schema are shown together.
 * @param isOpen whether the fields of a named schema are shown at once.
 */
function contentView(contract, content, isOpen = true) {
  const groups = new Map();
  for (const [type, { schema, stream }] of Object.entries(content)) {
    const name = stream === undefined ? (schemaName(schema) ?? type) : `a stream of ${type}`;
    groups.set(name, { schema, stream, types: [...(groups.get(name)?.types ?? []), type] });
  }
  return [...groups.values()].map(({ schema, stream, types }) =>
    element(
      'div',
      { class: 'content' },
      element(
        'p',
        { class: 'type' },
        types.map((type) => [element('code', {}, type), ', ']),
        stream === undefined ? typeView(contract, schema) : ['a stream of ', ...typeView(contract, stream.item)],
      ),
      stream === undefined ? fieldsView(contract, schema, isOpen) : streamView(contract, stream, schema, isOpen),
    ),
  );
}

function fieldsView(contract, schema, isOpen) {
  return isOpen || schemaName(schema) === undefined ? fieldsOf(contract, schema) : inner(contract, schema);
}

/** An item of a stream, and what the schema beside it demands of all items. */
function streamView(contract, { format, item }, schema, isOpen) {
  const itself = contract.unwrapped(item);
  return [
    element('p', { class: 'soft' }, ITEMS[format]),
    markdown(itself.description),
    limits(contract, itself),
    fieldsView(contract, item, isOpen),
    schema !== undefined && [
      element('p', { class: 'type' }, 'All items: ', typeView(contract, schema)),
      limits(contract, contract.unwrapped(schema)),
      fieldsView(contract, schema, false),
    ],
  ];
}

function responseView(contract, status, response) {
  const isGood = /^[123]/.test(status);
  const short = response.summary ?? firstSentence(response.description);
  const isShort = [short, ''].includes(markdown(response.description ?? '').textContent.trim());
  const summary = [element('code', { class: isGood ? 'status good' : 'status' }, status), element('span', {}, short)];
  const content = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => [name, contract.follow(header)]);
  const body = () => [
    element('h3', { class: 'hidden' }, `Response ${status}`),
    !isShort && markdown(response.description),
    headers.length > 0 &&
      valueList(headers.map(([name, header]) => valueRow(contract, { name, ...header, required: false }))),
    // Errors share their schema: only the example tells them apart.
    contentView(contract, response.content ?? {}, isGood),
    content.flatMap(([type, media]) =>
      examplesOf(contract, media, 'response').map(([name, value, text]) =>
        exampleView(content.length > 1 ? `${name}, ${type}` : name, text ?? exampleText(contract, type, media, value)),
      ),
    ),
  ];
  if (isShort && content.length + headers.length === 0) return element('div', { class: 'line' }, summary);
  return folded(summary, () => body(), { class: 'line' });
}

function exampleText(contract, type, { stream }, value) {
  const items = stream && exampleItems(contract, stream, value);
  // An example of a stream may be its text.
  return items === undefined ? textOf(value, type) : streamText(stream, items);
}

function exampleView(name, text) {
  if (text === undefined) return [];
  return element('figure', {}, element('figcaption', { class: 'type' }, name), element('pre', {}, text));
}

/** What all errors have in common, so that it need not be looked for in each. */
function everyError(contract, { responses }) {
  const errors = responses.filter(([status]) => /^[45]/.test(status));
  const names = new Set(
    errors.flatMap(([, { content = {} }]) => Object.values(content).map(({ schema }) => schemaName(schema))),
  );
  const [name] = names;
  const section = contract.sections.find(({ title }) => /\berrors?\b/i.test(title ?? ''));
  if (errors.length < 2 || names.size !== 1 || name === undefined) return [];
  return [
    element('h2', {}, 'Every error'),
    element(
      'p',
      { class: 'soft' },
      ...['has the same body, ', element('a', { href: linkTo.schema(name) }, name), '.'],
      section !== undefined && ' The codes are under ',
      section !== undefined && element('a', { href: linkTo.section(section) }, section.title),
      section !== undefined && '.',
    ),
  ];
}

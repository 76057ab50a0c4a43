import type { Argument, Credential, ExampleRequest } from './example-messages.ts';
import { arrayOf, objectOf, textOf, writeJson } from './json-value.ts';
import { form, type MessageBody } from './message-body.ts';
import { isJson, writeParameter } from './parameter-style.ts';
import { operationAt, sentMethod, type OperationKey, type SourceDocument } from './source-document.ts';

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** The parts of a request that are written. */
interface SentRequest extends Pick<ExampleRequest, 'arguments' | 'credentials'> {
  readonly body: Pick<MessageBody, 'contentType' | 'bytes'> | undefined;
}

/** Writes a request by the rules of the specification. */
export function writeRequest(
  document: SourceDocument,
  operationKey: OperationKey,
  { arguments: given, body, credentials }: SentRequest,
  accept: string | undefined,
): WireRequest {
  const at = (where: string): Argument[] => given.filter(({ parameter }) => parameter['in'] === where);
  const written = (where: string): string[] =>
    at(where).map(({ parameter, value }) => writeParameter(parameter, value));
  const credentialsAt = (where: string): Credential[] => credentials.filter((credential) => credential.in === where);
  const pathValues = new Map(
    at('path').map(({ parameter, value }) => [parameter['name'], writeParameter(parameter, value)]),
  );
  const pieces = operationKey.path
    .replace(/#.*$/s, '')
    .split(/\{([^}]+)\}/)
    .map((piece, index) => (index % 2 === 0 ? encodedLiteral(piece) : (pathValues.get(piece) ?? 'x')));
  const path = pieces.join('');
  const query = [
    ...at('querystring').map(wholeQuery),
    ...written('query'),
    ...credentialsAt('query').map(({ name, value }) => `${encodeURIComponent(name)}=${value}`),
  ].filter((text) => text !== '');
  const cookies = [...written('cookie'), ...credentialsAt('cookie').map(({ name, value }) => `${name}=${value}`)];
  const headers = Object.fromEntries(
    at('header').map(({ parameter, value }) => [textOf(parameter['name']), writeParameter(parameter, value)]),
  );
  const separator = path.includes('?') ? '&' : '?';
  return {
    method: sentMethod(operationKey),
    target: `${basePath(document, operationKey)}${path}${query.length === 0 ? '' : `${separator}${query.join('&')}`}`,
    headers: {
      ...headers,
      ...Object.fromEntries(credentialsAt('header').map(({ name, value }) => [name, value])),
      ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
      ...(body !== undefined && { 'Content-Type': body.contentType, 'Content-Length': String(body.bytes.length) }),
      ...(accept !== undefined && { Accept: accept }),
    },
    body: body?.bytes,
  };
}

/** A literal text of a path, in which what is percent-encoded already stays. */
function encodedLiteral(text: string): string {
  return encodeURI(text).replaceAll(/%25([\da-f]{2})/gi, '%$1');
}

/** A query that is one value (OpenAPI 3.2): a form, JSON or a text. */
function wholeQuery({ parameter, value }: Argument): string {
  const [[type, media] = ['', {}]] = Object.entries(objectOf(parameter['content']));
  if (/^application\/x-www-form-urlencoded/i.test(type)) return form(objectOf(value), objectOf(media)).bytes.toString();
  return encodeURIComponent(isJson(type) ? writeJson(value) : textOf(value));
}

/** The path of the first server, with the defaults of its variables. */
function basePath(document: SourceDocument, operationKey: OperationKey): string {
  const { definition, item } = operationAt(document, operationKey);
  const servers = arrayOf(definition['servers'] ?? item['servers'] ?? document.view['servers']);
  const { url, variables } = objectOf(servers[0] ?? { url: '/' });
  const filled = textOf(url).replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    textOf(objectOf(objectOf(variables)[name])['default']),
  );
  return URL.canParse(filled, 'http://localhost')
    ? new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '')
    : '';
}

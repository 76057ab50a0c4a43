import type { RequestError } from '../errors/errors.ts';
import { bodyKind, essenceOf, isRange } from '../http/media-type.ts';
import { http } from '../http/node-http.ts';
import { isObject, type MediaTypeObject, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import type { Place } from '../schema/places.ts';
import { errorValues } from './error-value.ts';
import type { ErrorContent } from './error-body.ts';

const PROBLEM = 'application/problem+json';

/** Problem details (RFC 9457), with the error's reason, and its faults if it has some. */
export function problemDetails(error: RequestError): ErrorContent {
  const [body] = problems(error);
  return { contentType: PROBLEM, body };
}

/** Problem details, with less of the faults each time: a contract may not allow all. */
function problems({ status, message, reason, faults }: RequestError): [object, ...object[]] {
  const problem = { title: http.STATUS_CODES[status] ?? 'Error', status, detail: message, reason };
  if (faults.length === 0) return [problem];
  // As in the example of section 3.1.
  const errors = faults.map((fault) => ({ detail: fault.message, in: fault.in, pointer: fault.pointer }));
  const placed = errors.map(({ detail, pointer }) => ({ detail, pointer }));
  return [{ ...problem, errors }, { ...problem, errors: placed }, problem];
}

/**
 * The bodies that a failure may have without a function of the author, the best first: problem
 * details under each declared JSON type, values made from its schema, and the message as a text.
 * @param content what the operation declares for the status.
 * @param placeOf the place of a value with a schema, as in validation.ts.
 */
export function* defaultErrorBodies(
  document: OpenApiDocument,
  content: Readonly<Record<string, MediaTypeObject>>,
  error: RequestError,
  placeOf: (schema: Schema) => Place | undefined,
): Generator<ErrorContent, void> {
  const declared = Object.entries(content).toSorted(([first], [second]) => rank(first) - rank(second));
  for (const [mediaType, { schema = {} }] of declared) {
    const name = sentType(mediaType);
    if (name !== undefined && bodyKind(name) === 'json') {
      const place = placeOf(schema);
      const contentType = isRange(mediaType) ? PROBLEM : name;
      for (const problem of problems(error)) yield { contentType, body: withBigints(problem, place) };
      for (const value of errorValues(document, schema, error))
        yield { contentType: name, body: withBigints(value, place) };
    } else if (name !== undefined) {
      yield { contentType: name, body: essenceOf(name) === 'text/html' ? asHtml(error.message) : error.message };
    }
  }
}

/** Problem details come first, texts last. */
function rank(mediaType: string): number {
  if (essenceOf(mediaType) === PROBLEM) return 0;
  return bodyKind(mediaType) === 'text' ? 2 : 1;
}

/** The media type of a body under a declared one; undefined where a failure has no text. */
function sentType(mediaType: string): string | undefined {
  const essence = essenceOf(mediaType);
  if (essence === '*/*' || essence === 'application/*') return 'application/json';
  if (essence === 'text/*') return 'text/plain';
  if (isRange(mediaType)) return bodyKind(mediaType) === 'json' ? PROBLEM : undefined;
  return bodyKind(mediaType) === 'json' || essence === 'text/plain' || essence === 'text/html' ? mediaType : undefined;
}

/** A value with a `bigint` for each int64. */
function withBigints(value: unknown, place: Place | undefined): unknown {
  if (place === undefined) return value;
  if (typeof value === 'number') return place.isInt64 ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item, index) => withBigints(item, place.itemPlace(index)));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, member]) => [name, withBigints(member, place.propertyPlace(name))]));
}

/** A message may repeat what a client sent. */
function asHtml(message: string): string {
  return `<p>${message.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`;
}

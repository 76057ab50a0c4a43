import { declaredType, essenceOf, isJson, isRange } from '../http/media-type.ts';
import { exactJson } from '../json/exact-json.ts';
import { itemShape } from '../schema/shape.ts';
import { charsetOf } from './media-type.ts';
import type { ClientPlaces } from './client-places.ts';
import { encodedArgument, IN_JSON } from './encoded-argument.ts';
import { importItems, importParts } from './load-modules.ts';
import type { RequestItems } from './request-items.ts';
import type { OperationShape, Shape } from './shape.ts';

/** What is to be given for a media type that is a form. */
const BODIES: Readonly<Record<string, string>> = {
  'multipart/form-data': 'a FormData',
  'application/x-www-form-urlencoded': 'a URLSearchParams',
};

/** A body for `fetch`, and its Content-Type; null leaves the type to `fetch`. */
export interface SendableBody {
  readonly body: NonNullable<RequestInit['body']> | null;
  readonly type: string | null;
  /** Whether it is a stream of items, some of which a handler may have read when it is refused. */
  readonly isSequence?: true;
  /** The items of a streamed body, which has no `body`. */
  readonly items?: RequestItems;
}

/** The body of a call, and the option that names its media type. */
export interface GivenBody {
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/**
 * Serializes the body of a call. Media types of JSON get JSON, except a text or bytes under a range
 * such as `*∕*`; sequential media types get items one by one; all other bodies are sent unchanged.
 * @throws TypeError for a media type that is undeclared, or missing where several are declared, for
 * a body that its type cannot have, and the errors of `encodedArgument`.
 */
export async function requestBodyOf(
  name: string,
  { body: shapes }: OperationShape,
  places: ClientPlaces,
  { body, contentType }: GivenBody,
): Promise<SendableBody> {
  if (body === undefined) return { body: null, type: null };
  const types = Object.keys(shapes);
  const ownType = ownTypeOf(body);
  const type = contentType ?? ownType ?? soleType(types);
  if (type === undefined || isRange(type)) {
    throw new TypeError(`${name} needs the option contentType: ${typesText(types)}.`);
  }
  const declared = declaredType(types, type);
  if (declared === undefined) throw new TypeError(`${name} has no body of the type '${type}': ${typesText(types)}.`);
  const shape = shapes[declared] ?? {};
  if (shape.parts !== undefined && !isSendable(body)) {
    const [{ RequestItems }, { PartsWriter }] = await Promise.all([importItems(), importParts()]);
    const encodeValue = (value: unknown, valueShape: Shape, valueName: string): unknown =>
      encodedArgument(value, valueShape, places, valueName, IN_JSON);
    const writer = new PartsWriter(type, shape.parts, { encodeValue, exactJson });
    const sent = { type: writer.contentType, isSequence: true } as const;
    if (Array.isArray(body)) return { ...sent, body: writer.bodyBytes(body) };
    if (isAsyncIterable(body)) return { ...sent, body: null, items: new RequestItems(body, writer) };
    throw new TypeError(`${name} needs a body of ${type} as an async iterable or an array of its parts.`);
  }
  if (shape.sequence !== undefined && !isSendable(body)) {
    const { ItemWriter, RequestItems } = await importItems();
    const writer = new ItemWriter({
      ...{ format: shape.sequence, jsonData: shape.jsonData, exactJson },
      encodeItem: (item, index, itemName) =>
        encodedArgument(item, itemShape(shape, index) ?? {}, places, itemName, IN_JSON),
    });
    const sent = { type, isSequence: true } as const;
    if (Array.isArray(body)) return { ...sent, body: body.map((item: unknown) => writer.itemText(item)).join('') };
    if (isAsyncIterable(body)) return { ...sent, body: null, items: new RequestItems(body, writer) };
    throw new TypeError(`${name} needs a body of ${type} as an async iterable or an array of its items.`);
  }
  if (isForm(body)) {
    if (essenceOf(type) !== ownType) throw new TypeError(`${name} needs a body of the type '${type}', not ${ownType}.`);
    // fetch knows the type, and the boundary.
    return { body, type: null };
  }
  const isValue = isJson(declared) ? !(body instanceof Blob) : isJson(type) && !isSendable(body);
  if (isValue) {
    const json = encodedArgument(body, shape, places, 'body', IN_JSON);
    return { body: exactJson(json), type };
  }
  if (!isSendable(body))
    throw new TypeError(
      `${name} needs a body of ${type} as ${BODIES[essenceOf(type)] ?? 'a string, bytes or a Blob'}.`,
    );
  if (typeof body === 'string') requireUtf8(body, type);
  return { body, type };
}

/** The media type that a body tells itself. */
function ownTypeOf(body: unknown): string | undefined {
  if (body instanceof FormData) return 'multipart/form-data';
  if (body instanceof URLSearchParams) return 'application/x-www-form-urlencoded';
  return body instanceof Blob && body.type !== '' ? body.type : undefined;
}

function isForm(body: unknown): body is FormData | URLSearchParams {
  return body instanceof FormData || body instanceof URLSearchParams;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** True for what `fetch` sends unchanged; it would turn anything else into a text. */
function isSendable(body: unknown): body is NonNullable<RequestInit['body']> {
  return typeof body === 'string' || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

/** @throws TypeError for a text that `fetch` would change, or send in another charset. */
function requireUtf8(text: string, type: string): void {
  const charset = charsetOf(type) ?? 'utf-8';
  if (!/^utf-?8$/.test(charset))
    throw new TypeError(`body must be bytes or a Blob: a string is sent as utf-8, not ${charset}.`);
  if (/\p{Cs}/u.test(text)) throw new TypeError('body must have no half of a surrogate pair: UTF-8 has none.');
}

/** The type of a body that names none: the only one, or the only one of JSON. */
function soleType(types: readonly string[]): string | undefined {
  const json = types.filter(isJson);
  const [type, ...others] = json.length > 0 ? json : types;
  return others.length === 0 ? type : undefined;
}

function typesText(types: readonly string[]): string {
  return `its types are ${types.join(', ') || 'none'}`;
}

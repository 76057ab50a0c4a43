import { declaredType, essenceOf, isJson } from '../http/media-type.ts';
import type { Place, Places } from '../schema/places.ts';
import type { ClientPlaces } from './client-places.ts';
import { keepInexact, parseExact, UnreadableValue } from './parse-exact.ts';
import { importItems, importParts } from './load-modules.ts';
import { charsetOf, decodedText } from './media-type.ts';
import type { MediaShapes, Shape } from './shape.ts';

/** A body that the contract does not declare; the message ends a sentence about the response. */
export class UndeclaredBody extends Error {}

const JSON_ONLY = 'application/json';
const QUESTION = ': is this the URL of the service?';

/** The declared media type of a response; undefined for another one. */
export function declaredTypeOf(content: MediaShapes, received: string): string | undefined {
  const types = Object.keys(content);
  // JSON under a wrong name is still JSON.
  return types.join() === JSON_ONLY ? JSON_ONLY : declaredType(types, received);
}

/** How a body is read. */
export interface BodyReading {
  readonly content: MediaShapes;
  readonly places: ClientPlaces;
  /** The Content-Type of the response. */
  readonly received: string;
  /** The most bytes of an item in a stream of them. */
  readonly maxItemBytes: number;
  /** Makes the error for an item that the contract does not describe. */
  readonly mistake: (what: string, cause?: unknown) => Error;
}

/** The items of a body whose declared media type is a sequence of them. */
export async function readDeclaredItems(
  { content, places, received, maxItemBytes: limit, mistake }: BodyReading,
  stream: ReadableStream<Uint8Array>,
): Promise<AsyncGenerator<unknown, void>> {
  const type = declaredTypeOf(content, received) ?? '';
  const { sequence: format, jsonData, parts, ...shape } = content[type] ?? {};
  const { chunksOf, readItems } = await importItems();
  const parseItem = (json: string, index: number, place: Place | undefined): unknown => {
    try {
      return parseExact(json, place);
    } catch (cause) {
      throw mistake(`has an item ${index} that is ${problemOf(cause)}.`, cause);
    }
  };
  if (parts !== undefined) {
    const { readParts } = await importParts();
    const placeOf = (value: Shape): Place | undefined => places.all.placeOf(value);
    return readParts(chunksOf(stream), received, parts, { limit, mistake, parseItem, placeOf });
  }
  const place = places.all.placeOf(shape);
  return readItems(stream, { format, place, jsonData, limit, mistake, parseItem });
}

/**
 * Reads a body by its declared media type: JSON by its shape, text as a string, items as an async
 * iterable, anything else as a Blob.
 * @throws UndeclaredBody for another media type, for broken JSON, for a number that would be
 * rounded, for a text that is not of its format, and for an unknown charset.
 */
export async function readDeclared(reading: BodyReading, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const { content, places, received } = reading;
  const type = declaredTypeOf(content, received);
  if (type === undefined)
    throw new UndeclaredBody(`of the media type '${received}', not ${Object.keys(content).join(' or ')}${QUESTION}`);
  if (isJson(type)) return readJson(new TextDecoder().decode(bytes), content, places.all, type);
  if (content[type]?.sequence !== undefined) return readDeclaredItems(reading, new Blob([bytes]).stream());
  if (!isText(type)) return new Blob([bytes], { type: received });
  const text = decodedText(bytes, received);
  if (text === undefined) throw new UndeclaredBody(`a text of the charset '${charsetOf(received)}', which is unknown.`);
  return text;
}

function readJson(text: string, content: MediaShapes, places: Places, type: string): unknown {
  try {
    return parseExact(text, places.placeOf(content[type] ?? {}));
  } catch (cause) {
    if (!(cause instanceof UnreadableValue || cause instanceof SyntaxError)) throw cause;
    const isJson = cause instanceof UnreadableValue;
    throw new UndeclaredBody(`${text === '' ? 'empty, ' : ''}${problemOf(cause)}${isJson ? '.' : QUESTION}`, { cause });
  }
}

/** What is wrong with a text that `parseExact` refuses. */
function problemOf(cause: unknown): string {
  return cause instanceof UnreadableValue ? `not exact: ${cause.message}` : 'not JSON';
}

/** The body of an error. */
interface ErrorBody {
  readonly body: unknown;
  /** Whether the contract declares it. */
  readonly isDeclared: boolean;
}

/**
 * Reads the body of an error: by its declared media type, or else JSON whatever type it claims, or
 * a text; undefined for anything else.
 * @param content undefined for a status that the contract does not declare.
 */
export async function readErrorBody(
  reading: Omit<BodyReading, 'content'>,
  content: MediaShapes | undefined,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<ErrorBody> {
  const { places, received } = reading;
  const types = Object.keys(content ?? {});
  if (content !== undefined && declaredType(types, received) !== undefined) {
    try {
      return { body: await readDeclared({ ...reading, content }, bytes), isDeclared: true };
    } catch (error) {
      if (!(error instanceof UndeclaredBody)) throw error;
    }
  }
  // A body that is not as declared has no values of custom formats.
  const place = places.bigints.placeOf(content?.[declaredType(types, received) ?? JSON_ONLY] ?? {});
  const text = (isText(received) ? decodedText(bytes, received) : undefined) ?? new TextDecoder().decode(bytes);
  const value = parsedJson(text, (json) => parseExact(json, place, keepInexact));
  // A text may look like a number. A body that the contract does not describe has no type.
  const body = isText(received) && Object(value) !== value ? text : value;
  return { body, isDeclared: content !== undefined && types.length === 0 };
}

function isText(type: string): boolean {
  return essenceOf(type).startsWith('text/') && !isJson(type);
}

function parsedJson(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

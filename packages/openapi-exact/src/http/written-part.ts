import { parameterValue } from './media-type.ts';
import { MAX_BOUNDARY, MAX_PART_HEADERS, partHeaders } from './part-head.ts';

/** A part of a multipart body as it is sent. */
export interface WrittenPart {
  readonly contentType: string;
  /** Beside the Content-Type. */
  readonly headers: readonly (readonly [name: string, text: string])[];
  readonly content: Uint8Array;
}

const ENCODER = new TextEncoder();

/** The Content-Type of a multipart body with its boundary: a new one, unless it has one already. */
export function withBoundary(contentType: string): { readonly contentType: string; readonly boundary: string } {
  const given = parameterValue(contentType, 'boundary');
  if (given !== undefined) {
    if (given === '' || given.length > MAX_BOUNDARY)
      throw new TypeError(`The boundary of a multipart body must have 1 to ${MAX_BOUNDARY} characters.`);
    return { contentType, boundary: given };
  }
  // Random: no content of a part can have it on purpose.
  const random = crypto.getRandomValues(new Uint8Array(16));
  const boundary = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { contentType: `${contentType}; boundary=${boundary}`, boundary };
}

/** Writes the parts of one multipart body (RFC 2046, section 5.1), in turn. */
export class PartWriter {
  readonly #delimiter: Uint8Array;
  #isBegun = false;

  constructor(boundary: string) {
    this.#delimiter = ENCODER.encode(`--${boundary}`);
  }

  /**
   * The bytes of the next part. The delimiter behind it is sent with it: only then can a reader
   * know that the part is complete.
   * @throws TypeError for a header that cannot be sent, and for content with the boundary in it.
   */
  partBytes({ contentType, headers, content }: WrittenPart): Uint8Array<ArrayBuffer> {
    if (includes(content, this.#delimiter))
      throw new TypeError('the content must not have the boundary of the multipart body in it');
    const all = [['Content-Type', contentType] as const, ...headers];
    const lines = all.map(([name, text]) => `${name}: ${headerValue(name, text)}\r\n`).join('');
    const head = ENCODER.encode(`\r\n${lines}`);
    if (head.length > MAX_PART_HEADERS) throw new TypeError(`the headers must have at most ${MAX_PART_HEADERS} bytes`);
    // What a reader refuses is not sent.
    partHeaders(`\r\n${lines}`, (problem) => new TypeError(`the multipart body ${problem}`));
    return joined([this.#opening(), head, LINE_END, content, LINE_END, this.#delimiter]);
  }

  /** What stands behind the last part. */
  endBytes(): Uint8Array<ArrayBuffer> {
    return joined([this.#opening(), ENCODER.encode('--\r\n')]);
  }

  #opening(): Uint8Array {
    if (this.#isBegun) return EMPTY;
    this.#isBegun = true;
    return this.#delimiter;
  }
}

const EMPTY = new Uint8Array();
const LINE_END = ENCODER.encode('\r\n');

/** @throws TypeError for a value that a header cannot have, such as one with line breaks. */
function headerValue(name: string, text: string): string {
  return new Headers([[name, text]]).get(name) ?? '';
}

/** Whether bytes have others in them. */
function includes(bytes: Uint8Array, searched: Uint8Array): boolean {
  const [first = 0] = searched;
  for (let index = bytes.indexOf(first); index !== -1; index = bytes.indexOf(first, index + 1))
    if (searched.every((byte, offset) => bytes[index + offset] === byte)) return true;
  return false;
}

/** Bytes one behind another. */
export function joined(all: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(all.reduce((length, each) => length + each.length, 0));
  let end = 0;
  for (const each of all) {
    bytes.set(each, end);
    end += each.length;
  }
  return bytes;
}

import type { RequestError } from '../errors/errors.ts';
import { malformedBody } from './body-refusals.ts';
import { MAX_BOUNDARY, MAX_PART_HEADERS, partHeaders } from '../http/part-head.ts';
import { setOwn } from '../json/set-own.ts';
import { parseDisposition } from './content-disposition.ts';
import { decodeUtf8 } from './utf8.ts';

const SPACE = 0x20;
const TAB = 0x09;
const HEADERS_END = Buffer.from('\r\n\r\n');

/** The head of a part. */
export interface PartHead {
  /** The type in Content-Disposition, such as `form-data`; undefined without the header. */
  readonly type: string | undefined;
  /** The name in Content-Disposition; '' without one, as in `multipart/mixed`. */
  readonly name: string;
  /**
   * Its last path segment without line breaks and NUL, since a client may send any path (RFC 7578,
   * section 4.2).
   */
  readonly filename?: string;
  /** Undefined when the part has no Content-Type. */
  readonly contentType: string | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Parses a multipart body (RFC 2046, section 5.1) as far as its reader asks for it, so that a slow
 * reader slows the client down. All methods throw RequestError malformedBody, and what the chunks
 * throw.
 */
export class MultipartParser {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** What has arrived but is not read yet; the first delimiter needs no line break before it. */
  #unread: Buffer = Buffer.from('\r\n');
  /** Counts the parts that were skipped, so that only the current one is read. */
  #skipped = 0;
  #isInPart = true;
  /** The bytes of the current part that were read. */
  #size = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws RequestError malformedBody for a boundary that is too long. */
  constructor(chunks: AsyncIterable<Buffer>, boundary: string) {
    if (boundary.length > MAX_BOUNDARY)
      throw malformedMultipart(`has a boundary of more than ${MAX_BOUNDARY} characters`);
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Skips the rest of the current part. @returns the size of its content in bytes. */
  skip(): Promise<number> {
    this.#skipped += 1;
    return this.#inTurn(async () => {
      while ((await this.#piece()) !== undefined) continue;
      return this.#size;
    });
  }

  /** @returns the head of the next part, undefined after the last. */
  async nextPart(): Promise<PartHead | undefined> {
    await this.skip();
    return this.#inTurn(async () => {
      while (this.#unread.length < 2) await this.#more();
      if (this.#unread.toString('latin1', 0, 2) === '--') return this.#end();
      const head = headOf(await this.#headers());
      this.#size = 0;
      this.#isInPart = true;
      return head;
    });
  }

  /** Whether the current part has no content; nothing of it was read. */
  isEmpty(): Promise<boolean> {
    return this.#inTurn(async () => {
      while (this.#unread.length < this.#delimiter.length) await this.#more();
      return this.#unread.subarray(0, this.#delimiter.length).equals(this.#delimiter);
    });
  }

  /** The content of the current part. Throws an Error once the next part has been asked for. */
  partContent(): AsyncGenerator<Buffer, void> {
    return this.#contentAfter(this.#skipped);
  }

  async *#contentAfter(skipped: number): AsyncGenerator<Buffer, void> {
    for (;;) {
      const piece = await this.#inTurn(() => {
        if (skipped !== this.#skipped) throw new Error('This part must be read before the next one is asked for.');
        return this.#piece();
      });
      if (piece === undefined) return;
      yield piece;
    }
  }

  /**
   * Runs one step at a time: the stream of a part may still read when the next part is asked for.
   */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** The next bytes of the current part; undefined at its end. */
  async #piece(): Promise<Buffer | undefined> {
    while (this.#isInPart) {
      const end = this.#unread.indexOf(this.#delimiter);
      if (end === 0) {
        this.#take(this.#delimiter.length);
        this.#isInPart = false;
        return undefined;
      }
      // The last bytes may be the beginning of a delimiter.
      const length = end > 0 ? end : this.#unread.length - this.#delimiter.length + 1;
      if (length > 0) {
        this.#size += length;
        return this.#take(length);
      }
      await this.#more();
    }
    return undefined;
  }

  /** The lines behind a delimiter, up to the empty one. */
  async #headers(): Promise<string> {
    let end = this.#unread.indexOf(HEADERS_END);
    while (end === -1 && this.#unread.length <= MAX_PART_HEADERS) {
      // The bytes before were searched.
      const searched = Math.max(0, this.#unread.length - HEADERS_END.length + 1);
      await this.#more();
      end = this.#unread.indexOf(HEADERS_END, searched);
    }
    if (end === -1 || end > MAX_PART_HEADERS) throw malformedMultipart('has a part with too large headers');
    const block = decodeUtf8(this.#take(end), 'The headers of a part');
    this.#take(HEADERS_END.length);
    return block;
  }

  /** Reads what follows the last part, so that the connection can be used again. */
  async #end(): Promise<undefined> {
    this.#take(2);
    await this.#requireLineEnd();
    while ((await this.#chunks.next()).done !== true) continue;
    return undefined;
  }

  /** Requires that only padding and a line break follow the last delimiter, if anything does. */
  async #requireLineEnd(): Promise<void> {
    for (;;) {
      const padding = this.#unread.findIndex((byte) => byte !== SPACE && byte !== TAB);
      this.#take(padding === -1 ? this.#unread.length : padding);
      if (this.#unread.length >= 2) break;
      const next = await this.#chunks.next();
      if (next.done === true) break;
      this.#unread = Buffer.concat([this.#unread, next.value]);
    }
    const line = this.#unread.toString('latin1', 0, 2);
    this.#unread = Buffer.alloc(0);
    if (line !== '' && line !== '\r\n') throw malformedMultipart('has text behind its last boundary');
  }

  #take(length: number): Buffer {
    const taken = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done === true) throw malformedMultipart('ends before its last boundary');
    this.#unread = this.#unread.length === 0 ? next.value : Buffer.concat([this.#unread, next.value]);
  }
}

function headOf(block: string): PartHead {
  const headers: Record<string, string> = {};
  for (const [name, value] of partHeaders(block, malformedMultipart)) setOwn(headers, name, value);
  const { 'content-disposition': disposition, 'content-type': contentType } = headers;
  if (disposition === undefined) return { type: undefined, name: '', contentType, headers };
  const { type, name = '', filename } = parseDisposition(disposition) ?? {};
  if (type === undefined) throw malformedMultipart('has a part with a malformed Content-Disposition');
  const named = filename === undefined ? {} : { filename: fileName(filename) };
  return { type, name, ...named, contentType, headers };
}

/** The name of a file without its path, and without characters that end a name elsewhere. */
function fileName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replaceAll(/[\0\r\n]/g, '');
  return name === '.' || name === '..' ? '' : name;
}

/** The refusal of a multipart body, from the rest of a sentence about it. */
export function malformedMultipart(problem: string): RequestError {
  return malformedBody(`The multipart request body ${problem} (RFC 2046, section 5.1).`);
}

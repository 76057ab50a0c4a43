import { MAX_BOUNDARY, MAX_PART_HEADERS, partHeaders, type RefuseMultipart } from './part-head.ts';
import type { Hold } from './split-items.ts';

/** A part of a multipart body as it is received. */
export interface ReceivedPart {
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** A view of the bytes that arrived with it. */
  readonly content: Uint8Array;
}

const SPACE = 0x20;
const TAB = 0x09;
const LINE_END = Uint8Array.of(0x0d, 0x0a);
const HEADERS_END = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a);
const HYPHEN = 0x2d;

/**
 * The parts of a multipart body (RFC 2046, section 5.1), each when all of it has arrived. What is
 * in front of the first part and behind the last is dropped.
 * @param hold is told how many bytes of a part are held, its headers included.
 */
export async function* splitParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  hold: Hold,
  refuse: RefuseMultipart,
): AsyncGenerator<ReceivedPart, void> {
  if (boundary.length > MAX_BOUNDARY) throw refuse(`has a boundary of more than ${MAX_BOUNDARY} characters`);
  const source = chunks[Symbol.asyncIterator]();
  try {
    const unread = new UnreadBytes(source, refuse);
    const delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
    await unread.skipPast(delimiter);
    while (!(await unread.isAtEnd())) {
      const head = await unread.takeUntil(HEADERS_END, (bytes) => {
        if (bytes > MAX_PART_HEADERS) throw refuse('has a part with too large headers');
      });
      const headers = partHeaders(decoded(head, refuse), refuse);
      const content = await unread.takeUntil(delimiter, (bytes) => {
        hold(head.length + bytes);
      });
      yield { headers, content };
    }
    await unread.requireLineEnd();
    while ((await source.next()).done !== true) continue;
  } finally {
    await source.return?.();
  }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array, refuse: RefuseMultipart): string {
  if (bytes.length === 0) return '';
  try {
    return DECODER.decode(bytes);
  } catch {
    throw refuse('has a part whose headers are not UTF-8');
  }
}

/** What has arrived of a body and is not read yet. */
class UnreadBytes {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #refuse: RefuseMultipart;
  /** The first delimiter needs no line break before it. */
  #bytes: Uint8Array = LINE_END.slice();
  #start = 0;
  /** The end of what has arrived: there may be room behind it. */
  #end = LINE_END.length;

  constructor(source: AsyncIterator<Uint8Array>, refuse: RefuseMultipart) {
    this.#source = source;
    this.#refuse = refuse;
  }

  /** Whether the delimiter that was read last ends the body. */
  async isAtEnd(): Promise<boolean> {
    while (this.#end - this.#start < 2) await this.#more();
    return this.#bytes[this.#start] === HYPHEN && this.#bytes[this.#start + 1] === HYPHEN;
  }

  /** Drops everything up to a marker, and the marker. */
  async skipPast(marker: Uint8Array): Promise<void> {
    for (let index = this.#indexOf(marker, this.#start); ; index = this.#indexOf(marker, this.#start)) {
      if (index !== -1) {
        this.#start = index + marker.length;
        return;
      }
      // The last bytes may be the beginning of the marker.
      this.#start = Math.max(this.#start, this.#end - marker.length + 1);
      await this.#more();
    }
  }

  /** The bytes up to a marker, which is dropped. @param hold is told how many of them are held. */
  async takeUntil(marker: Uint8Array, hold: Hold): Promise<Uint8Array> {
    let index = this.#indexOf(marker, this.#start);
    while (index === -1) {
      // The last bytes may be the beginning of the marker. More bytes may move those that are held.
      const searched = Math.max(0, this.#end - this.#start - marker.length + 1);
      hold(searched);
      await this.#more();
      index = this.#indexOf(marker, this.#start + searched);
    }
    hold(index - this.#start);
    const bytes = this.#bytes.subarray(this.#start, index);
    this.#start = index + marker.length;
    return bytes;
  }

  /** Requires that only padding and a line break follow the last delimiter, if anything does. */
  async requireLineEnd(): Promise<void> {
    this.#start += 2;
    for (;;) {
      while (this.#start < this.#end && isPadding(this.#bytes[this.#start])) this.#start += 1;
      if (this.#end - this.#start >= 2) break;
      if (!(await this.#hasMore())) break;
    }
    const [first = LINE_END[0], second = LINE_END[1]] = this.#bytes.subarray(this.#start, this.#end);
    if (first !== LINE_END[0] || second !== LINE_END[1]) throw this.#refuse('has text behind its last boundary');
  }

  /** The index of a marker, with its first byte once or at each line break; -1 without one. */
  #indexOf(marker: Uint8Array, from: number): number {
    const arrived = this.#bytes.subarray(0, this.#end);
    const [first = 0] = marker;
    for (let index = arrived.indexOf(first, from); index !== -1; index = arrived.indexOf(first, index + 1)) {
      if (index + marker.length > arrived.length) return -1;
      if (marker.every((byte, offset) => arrived[index + offset] === byte)) return index;
    }
    return -1;
  }

  async #more(): Promise<void> {
    if (!(await this.#hasMore())) throw this.#refuse('ends before its last boundary');
  }

  /** Waits for more bytes. @returns false at the end of the body. */
  async #hasMore(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done === true) return false;
    const chunk = next.value;
    const held = this.#end - this.#start;
    if (held === 0) [this.#bytes, this.#start, this.#end] = [chunk, 0, chunk.length];
    else {
      // Only bytes that nothing views yet are written.
      if (this.#end + chunk.length > this.#bytes.length) {
        const larger = new Uint8Array(2 * (held + chunk.length));
        larger.set(this.#bytes.subarray(this.#start, this.#end));
        [this.#bytes, this.#start, this.#end] = [larger, 0, held];
      }
      this.#bytes.set(chunk, this.#end);
      this.#end += chunk.length;
    }
    return true;
  }
}

function isPadding(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

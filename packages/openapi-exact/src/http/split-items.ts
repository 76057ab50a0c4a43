const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Begins a JSON text of `application/json-seq` (RFC 7464, section 2.2). */
const RECORD_SEPARATOR = 0x1e;

/**
 * Gets the number of bytes that an unfinished item will hold. Throws for too many.
 */
export type Hold = (bytes: number) => void;

/** The lines of JSON Lines and NDJSON, without line feeds and those that are blank. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, hold: Hold): AsyncGenerator<Uint8Array, void> {
  const held = new HeldBytes(hold);
  for await (const chunk of terminated(chunks, LINE_FEED)) {
    for (const line of split(chunk, LINE_FEED, held)) if (!isBlank(line)) yield line;
  }
}

/**
 * The JSON texts of `application/json-seq` (RFC 7464), with the line feeds behind them.
 * @param refuse makes the error for bytes in front of the first record separator.
 */
export async function* splitRecords(
  chunks: AsyncIterable<Uint8Array>,
  hold: Hold,
  refuse: () => Error,
): AsyncGenerator<Uint8Array, void> {
  const held = new HeldBytes(hold);
  let isFirst = true;
  for await (const chunk of terminated(chunks, RECORD_SEPARATOR)) {
    for (const record of split(chunk, RECORD_SEPARATOR, held)) {
      if (isFirst && record.length > 0) throw refuse();
      isFirst = false;
      if (!isBlank(record)) yield record;
    }
  }
}

/**
 * Whether a record may have lost its end (RFC 7464, section 2.4): a number, true, false or null
 * ends with a line feed, or another space.
 */
export function isTruncated(record: Uint8Array): boolean {
  const last = record.at(-1) ?? 0;
  return !isSpace(last) && !'"]}'.includes(String.fromCharCode(last));
}

/** An event as received: fields that were not sent are absent (HTML standard, 9.2.6). */
export interface ReceivedEvent {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

/**
 * The events of `text/event-stream`. As the HTML standard has it, comments, unknown fields, events
 * without data and an unfinished last one are left out.
 * @param decode reads UTF-8.
 */
export async function* splitEvents(
  chunks: AsyncIterable<Uint8Array>,
  hold: Hold,
  decode: (bytes: Uint8Array) => string,
): AsyncGenerator<ReceivedEvent, void> {
  let fields: Omit<ReceivedEvent, 'data'> = {};
  let data: string[] = [];
  let held = 0;
  let isFirst = true;
  const holdAll: Hold = (bytes) => {
    hold(held + bytes);
  };
  const lines = new EventLines(holdAll);
  for await (const chunk of chunks) {
    for (const line of lines.split(chunk)) {
      const text = line.length === 0 ? '' : decode(isFirst ? withoutMark(line) : line);
      isFirst = false;
      if (text === '') {
        if (data.length > 0) yield { data: data.join('\n'), ...fields };
        [fields, data, held] = [{}, [], 0];
        continue;
      }
      const colon = text.indexOf(':');
      const name = colon === -1 ? text : text.slice(0, colon);
      const value = colon === -1 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
      // A comment has no name, and takes no room.
      if (name !== '') held += line.length;
      if (name === 'data') data.push(value);
      else if (name === 'event') fields = value === '' ? withoutEvent(fields) : { ...fields, event: value };
      else if (name === 'id' && !value.includes('\0')) fields = { ...fields, id: value };
      else if (name === 'retry' && /^\d{1,15}$/.test(value)) fields = { ...fields, retry: Number(value) };
    }
  }
}

function withoutEvent({ event: _, ...fields }: Omit<ReceivedEvent, 'data'>): Omit<ReceivedEvent, 'data'> {
  return fields;
}

/** The lines of events, which end with CR LF, LF or CR. What no line end follows is left out. */
class EventLines {
  readonly #line: HeldBytes;
  #isBehindReturn = false;

  constructor(hold: Hold) {
    this.#line = new HeldBytes(hold);
  }

  /** The lines that end in a chunk. */
  *split(chunk: Uint8Array): Generator<Uint8Array, void> {
    let start = 0;
    // Each is searched on when it is passed: no byte is looked at twice.
    let [feed, carriage] = [nextIndex(chunk, LINE_FEED, 0), nextIndex(chunk, CARRIAGE_RETURN, 0)];
    for (let end = Math.min(feed, carriage); end < chunk.length; end = Math.min(feed, carriage)) {
      const isSecondHalf = this.#isBehindReturn && end === start && end === feed;
      this.#isBehindReturn = end === carriage;
      if (!isSecondHalf) {
        this.#line.addBytes(chunk, start, end);
        yield this.#line.takeBytes();
      }
      start = end + 1;
      if (end === feed) feed = nextIndex(chunk, LINE_FEED, start);
      else carriage = nextIndex(chunk, CARRIAGE_RETURN, start);
    }
    if (start === chunk.length) return;
    this.#isBehindReturn = false;
    this.#line.addBytes(chunk, start);
  }
}

/** The index of a byte; the length of the chunk where there is none. */
function nextIndex(chunk: Uint8Array, byte: number, start: number): number {
  const index = chunk.indexOf(byte, start);
  return index === -1 ? chunk.length : index;
}

/** Removes a byte order mark at the beginning of a stream. */
function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

/** Chunks with a delimiter behind them, which ends the last item. */
async function* terminated(chunks: AsyncIterable<Uint8Array>, delimiter: number): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
  yield Uint8Array.of(delimiter);
}

/**
 * The items that end in a chunk. Synchronous: a blank one takes no promise.
 * @param item holds what the chunks before have of the first one, and then what has not ended.
 */
function* split(chunk: Uint8Array, delimiter: number, item: HeldBytes): Generator<Uint8Array, void> {
  let start = 0;
  for (let end = chunk.indexOf(delimiter); end !== -1; end = chunk.indexOf(delimiter, start)) {
    item.addBytes(chunk, start, end);
    yield item.takeBytes();
    start = end + 1;
  }
  item.addBytes(chunk, start);
}

const NO_BYTES = new Uint8Array();

/** The bytes of an item that arrives in several chunks. */
class HeldBytes {
  readonly #hold: Hold;
  #bytes: Uint8Array = NO_BYTES;
  #length = 0;

  constructor(hold: Hold) {
    this.#hold = hold;
  }

  addBytes(chunk: Uint8Array, start: number, end = chunk.length): void {
    if (start === end) return;
    const bytes = chunk.subarray(start, end);
    const length = this.#length + bytes.length;
    this.#hold(length);
    // The first chunk is held as it came: most items have no other.
    if (this.#length === 0) this.#bytes = bytes;
    else {
      if (this.#length === this.#bytes.length || length > this.#bytes.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(this.#bytes.subarray(0, this.#length));
        this.#bytes = larger;
      }
      this.#bytes.set(bytes, this.#length);
    }
    this.#length = length;
  }

  /** The bytes, which are not held any longer. */
  takeBytes(): Uint8Array {
    // Many lines may be blank.
    if (this.#length === 0) return NO_BYTES;
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#bytes = NO_BYTES;
    this.#length = 0;
    return bytes;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isSpace);
}

import { stringify } from 'lossless-json';

/** An event of a `text/event-stream` (HTML standard, section 9.2). */
export interface ServerSentEvent {
  /** Its type; `message` for the client when it is left out. */
  readonly event?: string;
  /** A string is sent as it is, any other value as JSON with exact int64s. */
  readonly data?: unknown;
  /** What the client sends back as `Last-Event-ID`. */
  readonly id?: string;
  /** How long the client waits before it connects again, in milliseconds. */
  readonly retry?: number;
}

/**
 * The text of each event; a string is an event with that data. Not a generator: one that waits for
 * the next event cannot be ended when the client leaves. `next` throws an Error for a field whose
 * line break would begin another field.
 */
export class EventTexts implements AsyncIterableIterator<string> {
  readonly #events: AsyncIterator<ServerSentEvent | string, unknown>;

  constructor(events: AsyncIterable<ServerSentEvent | string>) {
    this.#events = events[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    const { done, value } = await this.#events.next();
    if (done === true) return { done, value: undefined };
    return { done: false, value: textOf(typeof value === 'string' ? { data: value } : value) };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    await this.#events.return?.();
    return { done: true, value: undefined };
  }
}

function textOf({ event, data, id, retry }: ServerSentEvent): string {
  const text = typeof data === 'string' || data === undefined ? data : stringify(data);
  const lines = [
    ...(event === undefined ? [] : [field('event', event)]),
    ...(id === undefined ? [] : [field('id', id)]),
    ...(retry === undefined ? [] : [field('retry', String(retry))]),
    ...(text === undefined ? [] : text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)),
  ];
  return `${lines.join('')}\n`;
}

function field(name: string, value: string): string {
  if (/[\r\n\0]/.test(value)) throw new Error(`The ${name} of an event must be a single line.`);
  return `${name}: ${value}\n`;
}

import { stringify } from 'lossless-json';

/**
 * An event of a `text/event-stream` (HTML standard, section 9.2).
 * @example
 * async function* events(): AsyncGenerator<ServerSentEvent> {
 *   yield { event: 'added', data: { id: 7n } };
 * }
 */
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
 * The text of an event; a string is an event with that data.
 * @throws Error for a field whose line break would begin another field.
 */
export function eventText(given: ServerSentEvent | string): string {
  const { event, data, id, retry } = typeof given === 'string' ? { data: given } : given;
  if (retry !== undefined && !(Number.isSafeInteger(retry) && retry >= 0)) {
    throw new Error(`The retry of an event must be a whole number of milliseconds, not ${String(retry)}.`);
  }
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

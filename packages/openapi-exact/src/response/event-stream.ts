import { stringify } from 'lossless-json';
import { described } from '../errors/described.ts';
import { writtenEvent } from '../http/written-event.ts';
import { didYouMean } from '../errors/nearest.ts';
import { isObject } from '../schema/openapi-document.ts';

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
  /** A string is sent unchanged, any other value as JSON with exact int64s. */
  readonly data?: unknown;
  /** What the client sends back as `Last-Event-ID`. */
  readonly id?: string;
  /** How long the client waits before it connects again, in milliseconds. */
  readonly retry?: number;
}

const FIELDS = ['event', 'data', 'id', 'retry'];

/**
 * The text of an event; a string is an event with that data.
 * @throws Error for a field whose line break would begin another field, and for a key that no event
 * has.
 */
export function eventText(given: ServerSentEvent | string): string {
  if (typeof given !== 'string') requireFields(given);
  const { event, data, id, retry } = typeof given === 'string' ? { data: given } : given;
  const text = typeof data === 'string' || data === undefined ? data : stringify(data);
  return writtenEvent({ event, data: text, id, retry });
}

function requireFields(given: unknown): void {
  if (!isObject(given)) throw new TypeError(`An event must be a text or an object, not ${described(given)}.`);
  const excess = Object.keys(given).find((key) => !FIELDS.includes(key));
  if (excess === undefined) return;
  const question = didYouMean(excess, FIELDS) || ` It has ${FIELDS.join(', ')}.`;
  throw new TypeError(`An event must not have the key '${excess}'.${question}`);
}

import { getHeapStatistics } from 'node:v8';
import { MAX_VALUES } from '../json/value-count.ts';

/**
 * Limits of request bodies, in bytes unless said otherwise.
 * @example
 * const bodyLimits: BodyLimitOptions = { json: 1024 * 1024, streamed: 50 * 1024 * 1024 };
 */
export interface BodyLimits {
  /** A JSON body. */
  readonly json: number;
  /**
   * Another body that is read as a whole: forms, text, and multipart bodies of up to this size. Of
   * a larger one, its fields and the names of all parts.
   */
  readonly buffered: number;
  /** A body that the handler reads as a stream; a `maxLength` in its schema wins. */
  readonly streamed: number;
  /** An item of a stream of items, such as a line of JSON Lines or an event. */
  readonly item: number;
  /** The number of parts of a multipart body. */
  readonly parts: number;
  /** The most JSON values in a body or an item of a stream; objects, arrays and null count too. */
  readonly values: number;
  /**
   * What the bodies of all requests of the process take together, as received and as values, until
   * their responses are sent; parameters with many values too. Beyond it, requests are refused
   * as `overloaded`.
   */
  readonly memory: number;
}

/** Some limits of request bodies; a limit that is left out or undefined is its default. */
export type BodyLimitOptions = Readonly<Partial<Record<keyof BodyLimits, number | undefined>>>;

/**
 * The limits that hold by default: 256 KiB, 1 MiB, 1 GiB, 256 KiB for an item, 1,000 parts, 10,000
 * values and a quarter of the heap.
 */
export const BODY_LIMITS: BodyLimits = {
  json: 256 * 1024,
  buffered: 1024 * 1024,
  streamed: 1024 * 1024 * 1024,
  item: 256 * 1024,
  parts: 1_000,
  values: MAX_VALUES,
  memory: getHeapStatistics().heap_size_limit / 4,
};

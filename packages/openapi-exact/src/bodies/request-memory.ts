import type { ServerResponse } from 'node:http';
import { RequestError } from '../errors/errors.ts';
import { ValueCount } from '../json/value-count.ts';
import type { BodyLimits } from './limits.ts';
import { tooLarge } from './body-refusals.ts';
import { answeredEarly } from './receive.ts';

const OVERLOADED =
  'The service has too many large requests in memory. Repeat the request after the seconds in Retry-After.';

/** A request that takes at most so many bytes is small, such as a form. */
const SMALL_REQUEST = 64 * 1024;
/** The share of the memory that requests which are not small may take. */
const LARGE_SHARE = 15 / 16;

/** The memory of a value in bytes: as read, and as the handler gets it. */
const VALUE_SIZE = 200;

/** The memory of a file of a multipart body beside its bytes. */
const FILE_SIZE = 1_200;
/** The memory of a header of a part; the shortest has one character. */
const PART_HEADER_SIZE = 100;

/**
 * The memory that the body and the parameters of one request take, out of one budget for the
 * process. A request keeps it to its end.
 */
export class RequestMemory {
  static #taken = 0;
  readonly #limits: BodyLimits;
  readonly #response: ServerResponse;
  #own = 0;
  #isOver = false;

  constructor(limits: BodyLimits, response: ServerResponse) {
    this.#limits = limits;
    this.#response = response;
  }

  /**
   * Gives everything back once the response is over, too. To be called when the validation and the
   * handler have ended: they hold the body also where the client has left, or the time was up.
   */
  giveBack(): void {
    const { closed, destroyed, socket } = this.#response;
    const own = this.#own;
    this.#own = 0;
    this.#isOver = true;
    // A response that waits for others of its connection has no socket, and may never close.
    if (closed || destroyed || socket === null) RequestMemory.#taken -= own;
    else
      this.#response.once('close', () => {
        RequestMemory.#taken -= own;
      });
  }

  /**
   * Requires room for an announced body, without taking it: a client may announce a body and never
   * send it.
   * @throws RequestError overloaded.
   */
  requireRoom(bytes: number): void {
    if (RequestMemory.#taken + bytes > this.#limitWith(bytes)) throw this.#memoryExhausted();
  }

  /** Takes bytes that have arrived. @throws RequestError overloaded. */
  addBytes(bytes: number): void {
    this.#takeBytes(bytes);
  }

  /** Takes what a part needs beside its bytes and values. @throws RequestError overloaded. */
  addPart(headers: Readonly<Record<string, string>>, isFile: boolean): void {
    this.#takeBytes((isFile ? FILE_SIZE : 0) + Object.keys(headers).length * PART_HEADER_SIZE);
  }

  /** Takes what values need. @throws RequestError overloaded. */
  addValues(values: number): void {
    this.#takeBytes(values * VALUE_SIZE);
  }

  /** A count of values of the body, which takes what they need before they are made. */
  valueCount(): ValueCount {
    const exceeded = (what: string): RequestError => tooLarge(`The request body must not have more than ${what}.`);
    return new ValueCount(this.#limits.values, exceeded, this);
  }

  #takeBytes(bytes: number): void {
    // Nothing would give it back.
    if (this.#isOver) throw answeredEarly();
    this.requireRoom(bytes);
    RequestMemory.#taken += bytes;
    this.#own += bytes;
  }

  /**
   * What all requests may take when this one takes more: large ones leave a share to small ones.
   */
  #limitWith(bytes: number): number {
    const { memory } = this.#limits;
    return this.#own + bytes <= SMALL_REQUEST ? memory : memory * LARGE_SHARE;
  }

  /**
   * A body that is small is read and dropped: a connection that ends while a client still sends may
   * lose the response.
   */
  #memoryExhausted(): RequestError {
    const { 'transfer-encoding': coding, 'content-length': length = coding === undefined ? 0 : Infinity } =
      this.#response.req.headers;
    const isSmall = Number(length) <= this.#limits.buffered;
    const headers = { 'Retry-After': '1', ...(isSmall ? {} : { Connection: 'close' }) };
    return new RequestError('overloaded', OVERLOADED, { headers });
  }
}

import type { ValueMemory } from '../json/value-count.ts';
import type { RequestMemory } from './request-memory.ts';

/**
 * The memory of the items of a stream; a handler holds one at a time: a request takes what
 * its largest item takes.
 */
export class ItemMemory implements ValueMemory {
  readonly #memory: RequestMemory;
  #bytes = 0;
  #values = 0;
  #ownValues = 0;

  constructor(memory: RequestMemory) {
    this.#memory = memory;
  }

  /** Takes the bytes of an item that arrives. @throws RequestError overloaded. */
  holdBytes(bytes: number): void {
    if (bytes <= this.#bytes) return;
    this.#memory.addBytes(bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Begins to count the values of the next item. */
  beginItem(): void {
    this.#ownValues = 0;
  }

  /** Takes what values of an item need. @throws RequestError overloaded. */
  addValues(values: number): void {
    this.#ownValues += values;
    if (this.#ownValues <= this.#values) return;
    this.#memory.addValues(this.#ownValues - this.#values);
    this.#values = this.#ownValues;
  }
}

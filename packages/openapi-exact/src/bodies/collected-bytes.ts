/** So many chunks are kept apart at most. */
const MOST_CHUNKS = 1_000;

/**
 * Bytes that arrive in chunks. Many chunks become one: each takes a few hundred bytes beside its
 * content, which may be smaller than that.
 */
export class CollectedBytes {
  readonly #joined: Buffer[] = [];
  #chunks: Buffer[] = [];

  addChunk(chunk: Buffer): void {
    this.#chunks.push(chunk);
    if (this.#chunks.length < MOST_CHUNKS) return;
    this.#joined.push(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }

  /** All bytes, which are not kept here any longer. */
  takeBytes(): Buffer {
    return Buffer.concat([...this.#joined.splice(0), ...this.#chunks.splice(0)]);
  }

  /** The same, not to be kept: a single chunk may be a part of a larger buffer. */
  takeView(): Buffer {
    const [only] = this.#chunks;
    const isOnly = this.#chunks.length === 1 && this.#joined.length === 0;
    return only !== undefined && isOnly ? only : this.takeBytes();
  }
}

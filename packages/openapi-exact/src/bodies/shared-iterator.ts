/** An iterator that all readers share: the library goes on where a handler stops. */
export class SharedIterator<T> implements AsyncIterable<T> {
  readonly #items: AsyncIterator<T, unknown>;
  #failure: { readonly error: unknown } | undefined;

  constructor(items: AsyncIterator<T, unknown>) {
    this.#items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<T, void> {
    return { next: () => this.#nextResult() };
  }

  /** Whether a reader was given this error. */
  hasFailedWith(error: unknown): boolean {
    return this.#failure?.error === error;
  }

  /** Reads the rest. Throws its error, or the error that a reader was given. */
  async finish(): Promise<void> {
    for (let next = await this.#nextResult(); next.done !== true; next = await this.#nextResult()) continue;
    this.requireSound();
  }

  /** Throws again the error that a reader was given. */
  requireSound(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #nextResult(): Promise<IteratorResult<T, void>> {
    try {
      const next = await this.#items.next();
      return next.done === true ? { done: true, value: undefined } : next;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

import { messageOf } from '../errors.ts';

/** How long the result of a store check is cached, in milliseconds. */
const KEPT_FOR = 1_000;

/**
 * Readiness of the service. Probes that arrive during a store check, or within a second after it,
 * share its result, so that frequent probes do not load the store.
 */
export class Health {
  readonly #checkStore: () => Promise<void>;
  #isStopping = false;
  #shared: Promise<string | undefined> | undefined;

  /** @param checkStore rejects when the store is not usable. */
  constructor(checkStore: () => Promise<void>) {
    this.#checkStore = checkStore;
  }

  /** The reason why the service is not ready; undefined when it is ready. */
  async unready(): Promise<string | undefined> {
    const reason = this.#isStopping ? undefined : await (this.#shared ??= this.#checkHealth());
    // The shutdown may have begun during the check.
    return this.#isStopping ? 'The service is stopping.' : reason;
  }

  /** Marks the service as shutting down: it is not ready from now on. */
  stop(): void {
    this.#isStopping = true;
  }

  async #checkHealth(): Promise<string | undefined> {
    const reason = await this.#checkStore().then(() => undefined, messageOf);
    setTimeout(() => {
      this.#shared = undefined;
    }, KEPT_FOR).unref();
    return reason;
  }
}

import { messageOf } from '../errors.ts';

/** Readiness of the service. */
export interface Health {
  /** The reason why the service is not ready; undefined when it is ready. */
  readonly unready: () => Promise<string | undefined>;
  /** Marks the service as shutting down: it is not ready from now on. */
  readonly stopping: () => void;
}

/** How long the result of a store check is cached, in milliseconds. */
const KEPT_FOR = 1_000;

/**
 * Creates the readiness check. Probes that arrive during a store check, or within a second after
 * it, share its result, so that frequent probes do not load the store.
 * @param checkStore rejects when the store is not usable.
 */
export function createHealth(checkStore: () => Promise<void>): Health {
  let isStopping = false;
  let shared: Promise<string | undefined> | undefined;
  const check = async (): Promise<string | undefined> => {
    const reason = await checkStore().then(() => undefined, messageOf);
    setTimeout(() => {
      shared = undefined;
    }, KEPT_FOR).unref();
    return reason;
  };
  return {
    unready: async () => {
      const reason = isStopping ? undefined : await (shared ??= check());
      // The shutdown may have begun during the check.
      return isStopping ? 'The service is stopping.' : reason;
    },
    stopping: () => {
      isStopping = true;
    },
  };
}

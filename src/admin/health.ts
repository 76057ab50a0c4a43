import { messageOf } from '../errors.ts';

/** Whether the service can work. */
export interface Health {
  /** Why the service is not ready for requests; undefined when it is. */
  readonly unready: () => Promise<string | undefined>;
  /** From now on the service is not ready: it stops. */
  readonly stopping: () => void;
}

/** How long the result of a check of the store is kept, in milliseconds. */
const KEPT_FOR = 1_000;

/**
 * All who ask while the store is checked, and in the second after it, share one check: however often the port for operators
 * is asked, the store is not.
 * @param checkStore rejects when the store cannot work now.
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
      // It may have begun to stop meanwhile.
      return isStopping ? 'The service is stopping.' : reason;
    },
    stopping: () => {
      isStopping = true;
    },
  };
}

import { messageOf } from '../errors.ts';

/** Whether the service can work. */
export interface Health {
  /** Why the service is not ready for requests; undefined when it is. */
  readonly unready: () => Promise<string | undefined>;
  /** From now on the service is not ready: it stops. */
  readonly stopping: () => void;
}

/** @param checkStore rejects when the store cannot work now. */
export function createHealth(checkStore: () => Promise<void>): Health {
  let isStopping = false;
  return {
    unready: async () => {
      if (isStopping) return 'The service is stopping.';
      try {
        await checkStore();
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    stopping: () => {
      isStopping = true;
    },
  };
}

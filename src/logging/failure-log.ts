import type { Logger } from 'pino';
import { codeOf, messageOf, StoreError } from '../errors.ts';

/** The interval between two lines of one cause, in milliseconds. */
const CAUSE_INTERVAL = 1_000;
/** The most causes that have lines of their own at a time: a message may differ for each row. */
const MAX_CAUSES = 20;

/** Failures of one cause that no line has reported yet. */
interface Repeated {
  count: number;
  /** Undefined for causes that share a line. */
  readonly reason: string | undefined;
  readonly message: string;
}

/**
 * Logs failed requests: the first of a cause at once with its details, then one line a second with
 * the number of the others. Numbers in a message do not make another cause. Beyond
 * {@link MAX_CAUSES}, failures with the same response share one line.
 */
export class FailureLog {
  readonly #log: Logger;
  readonly #repeated = new Map<string, Repeated>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * @param message the message of the response.
   * @param request what identifies the request, for the line.
   * @returns true if this failure has a line of its own.
   */
  note(thrown: unknown, message: string, request: object): boolean {
    const reason = messageOf(thrown);
    const own = `${codeOf(thrown)} ${reason.replaceAll(/\d+/g, '0')} ${message}`;
    const cause = this.#repeated.has(own) || this.#repeated.size < MAX_CAUSES ? own : message;
    const known = this.#repeated.get(cause);
    if (known !== undefined) {
      known.count++;
      return false;
    }
    this.#log.error({ ...detailsOf(thrown), ...request }, message);
    this.#await(cause, { count: 0, reason: cause === own ? reason : undefined, message });
    return true;
  }

  #await(cause: string, repeated: Repeated): void {
    this.#repeated.set(cause, repeated);
    setTimeout(() => {
      this.#repeated.delete(cause);
      const { count: failures, reason, message } = repeated;
      if (failures === 0) return;
      this.#log.error({ failures, reason }, message);
      this.#await(cause, { count: 0, reason, message });
    }, CAUSE_INTERVAL).unref();
  }
}

/** A failure of the store has no stack: it leads into the driver and explains nothing. */
function detailsOf(thrown: unknown): object {
  if (!(thrown instanceof StoreError)) return { err: thrown };
  return { reason: thrown.message, outcome: thrown.outcome, code: codeOf(thrown.cause) };
}

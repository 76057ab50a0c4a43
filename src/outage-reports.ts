/** How often an outage is reported, in milliseconds. */
const REPORT_EVERY = 60_000;

/** Says which failures of a dependency to report: the first of an outage, then one a minute. */
export class OutageReports {
  /** When the outage was last reported, by `performance.now()`; undefined while there is none. */
  #reportedAt: number | undefined;

  /** @returns whether this failure is to be reported. */
  noteFailure(): boolean {
    const now = performance.now();
    if (this.#reportedAt !== undefined && now - this.#reportedAt < REPORT_EVERY) return false;
    this.#reportedAt = now;
    return true;
  }

  /** @returns whether this success ends an outage. */
  noteSuccess(): boolean {
    const isEnd = this.#reportedAt !== undefined;
    this.#reportedAt = undefined;
    return isEnd;
  }
}

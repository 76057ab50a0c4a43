import { DatabaseUnreachableError } from '../errors.ts';
import { OutageReports } from '../outage-reports.ts';

/** Pause between two attempts, in milliseconds. */
const PAUSE = 1_000;

/** Receives what happens while the database is awaited. */
interface WaitingOptions {
  /** The reason of each failed attempt. */
  readonly onFailure: (reason: string) => void;
  /** The reason at first and once a minute. */
  readonly onReport: (reason: string) => void;
  /** Called when an attempt succeeds after others have failed. */
  readonly onReached: () => void;
}

/** Repeats work each second until the database is reachable: the service may start first. */
export async function untilReachable<T>(
  work: () => Promise<T>,
  { onFailure, onReport, onReached }: WaitingOptions,
): Promise<T> {
  const reports = new OutageReports();
  for (;;) {
    try {
      const result = await work();
      if (reports.noteSuccess()) onReached();
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachableError)) throw error;
      onFailure(error.message);
      if (reports.noteFailure()) onReport(error.message);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

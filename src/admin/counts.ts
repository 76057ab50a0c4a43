import { Histogram } from './histogram.ts';

/** What was answered for one operation. */
export class Answers {
  /** How often, by status. */
  readonly statuses = new Map<number, number>();
  readonly seconds = new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]);
}

/** What a process has counted so far. */
export class Counts {
  /** By operation. */
  readonly answers = new Map<string, Answers>();
  /** Requests that were not authenticated or not allowed, by the name of the error. */
  readonly failures = new Map<string, number>();
  /** Deletes that one commit carried. */
  readonly batchSizes = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]);
  readonly commitSeconds = new Histogram([
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5,
  ]);
  queueLength = (): number => 0;
}

import { median } from '../support/median.ts';

/** What was measured in some seconds. */
export interface Sample {
  /** Resident memory in MB. */
  readonly memory: number;
  readonly descriptors: number;
  /** Latencies in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** One line of the verdict. */
export interface Finding {
  readonly measure: string;
  /** In the second and in the last third of the time. */
  readonly before: number;
  readonly after: number;
  readonly isFlat: boolean;
}

/** Latencies may grow by this beyond the relative part, in milliseconds: scheduler noise. */
const JITTER = { p50: 0.3, p99: 2 };

/**
 * Compares the last third of the samples with the second one; the first is for warming up.
 * @returns one finding for each measure. At least six samples are needed.
 */
export function judgeSamples(samples: readonly Sample[]): Finding[] {
  const third = Math.floor(samples.length / 3);
  if (third < 2) throw new Error('There are too few samples for a verdict.');
  const [second, last] = [samples.slice(-2 * third, -third), samples.slice(-third)];

  function compare(
    measure: string,
    from: (values: readonly number[]) => number,
    key: keyof Sample,
    allowed: (before: number) => number,
  ): Finding {
    const [before, after] = [second, last].map((part) => from(part.map((sample) => sample[key])));
    if (before === undefined || after === undefined) throw new Error('There are two parts.');
    return { measure, before, after, isFlat: after <= allowed(before) };
  }
  return [
    compare('memory in MB', median, 'memory', (before) => before * 1.1),
    // Connections come and go; those that are never closed show in the fewest that are open.
    compare(
      'open descriptors',
      (values) => Math.min(...values),
      'descriptors',
      (before) => before,
    ),
    compare('latency in ms, p50', median, 'p50', (before) => before * 1.25 + JITTER.p50),
    compare('latency in ms, p99', median, 'p99', (before) => before * 1.25 + JITTER.p99),
  ];
}

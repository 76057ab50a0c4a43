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

/** Which of the sorted values counts, what it may be multiplied by, and the noise beside that. */
const MEASURES: readonly (readonly [
  measure: string,
  key: keyof Sample,
  part: number,
  factor: number,
  noise: number,
])[] = [
  ['memory in MB', 'memory', 0.5, 1.1, 0],
  // Connections come and go; those that are never closed show in the fewest that are open.
  ['open descriptors', 'descriptors', 0, 1, 0],
  ['latency in ms, p50', 'p50', 0.5, 1.25, 0.3],
  ['latency in ms, p99', 'p99', 0.5, 1.25, 2],
];

/**
 * Compares the last third of the samples with the second one; the first is for warming up.
 * @returns one finding for each measure; one that is missing is not flat.
 */
export function judgeSamples(samples: readonly Sample[]): Finding[] {
  const third = Math.floor(samples.length / 3);
  return MEASURES.map(([measure, key, part, factor, noise]) => {
    const typical = (some: readonly Sample[]): number => {
      const values = some.map((sample) => sample[key]).sort((a, b) => a - b);
      return values.some(Number.isNaN) ? NaN : (values[Math.floor(values.length * part)] ?? NaN);
    };
    const [before, after] = [typical(samples.slice(-2 * third, -third)), typical(samples.slice(-third))];
    return { measure, before, after, isFlat: after <= before * factor + noise };
  });
}

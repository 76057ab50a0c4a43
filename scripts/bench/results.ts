/** The measures of a row: its title in tables, and the digits behind the point. */
export const METRICS = {
  perSecond: { title: 'requests/s', digits: 0 },
  processorMicroseconds: { title: 'processor µs/request', digits: 1 },
  p50Milliseconds: { title: 'p50 ms', digits: 2 },
  p99Milliseconds: { title: 'p99 ms', digits: 2 },
  startMilliseconds: { title: 'start to the first 204, ms', digits: 0 },
  startedMegabytes: { title: 'memory at the first 204, MB', digits: 0 },
  loadedMegabytes: { title: 'memory under load, MB', digits: 0 },
} as const;

export type Metric = keyof typeof METRICS;

/** What one round has measured: NaN, in JSON null, where the system does not provide it. */
export type Round = Partial<Record<Metric, number | null>>;

/** A server, or a kind of request, and all of its rounds. */
export interface Row {
  readonly name: string;
  /** Its server, in a table that has a column for each server. */
  readonly server?: string;
  readonly rounds: Round[];
}

/** A table of the page. The first row is what the others are compared with. */
export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly Row[];
}

/** One run of the bench: docs/benchmarks/results.json. */
export interface Results {
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  /** What it was measured on. */
  readonly machine: string;
  /** The share of the processors' time that other guests of the machine took, from 0 to 1. */
  readonly stolen: number;
  readonly scenarios: readonly ScenarioResult[];
}

/** The median; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The median of a metric over the rounds of a row; undefined when no round has it. */
export function medianOf({ rounds }: Row, metric: Metric): number | undefined {
  const values = rounds.flatMap((round) => round[metric] ?? []).filter(Number.isFinite);
  return values.length === 0 ? undefined : median(values);
}

/** The metrics that any row of a scenario has, in the order of METRICS. */
export function metricsOf({ rows }: ScenarioResult): Metric[] {
  // The keys of METRICS are what Metric is made of.
  const all = Object.keys(METRICS) as Metric[];
  return all.filter((metric) => rows.some((row) => medianOf(row, metric) !== undefined));
}

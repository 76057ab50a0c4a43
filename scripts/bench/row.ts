import type { Context, Summary } from './context.ts';
import { median } from './median.ts';

/** A line of the table. */
export interface Outcome {
  readonly measure: string;
  readonly ours: string;
  readonly against: string;
  readonly theirs: string;
  /** What the goal is about: ours divided by theirs, the median of the rounds' ratios, or an absolute value of ours. */
  readonly value: number;
  /** undefined: for information. */
  readonly goal: Goal | undefined;
}

/** A row that could not be measured, and why. */
export interface Skipped {
  readonly measure: string;
  readonly skipped: string;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** A row of the table: measures one thing. Its id is what `--only` takes. */
export interface Row {
  readonly id: string;
  /** It is part of what `--quick` measures when no rows are named: all of those together take a minute. */
  readonly quick?: true;
  run(context: Context): Promise<(Outcome | Skipped)[]>;
}

export function isReached(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** Ours divided by theirs, the median of the rounds: what slows the machine for a while slows both in its round. */
function ratio(key: 'perSecond' | 'p50' | 'p99', ours: Summary, theirs: Summary): number {
  return median(ours.rounds.map((round, index) => round[key] / (theirs.rounds[index]?.[key] ?? Number.NaN)));
}

/** The requests per second of two contestants. */
export function compareRates(measure: string, ours: Summary, theirs: Summary, goal?: Goal): Outcome {
  const rate = ({ perSecond }: Summary): string => `${Math.round(perSecond).toLocaleString('en')}/s`;
  const value = ratio('perSecond', ours, theirs);
  return { measure, ours: rate(ours), against: theirs.name, theirs: rate(theirs), value, goal };
}

/** The processor time that a request takes of two contestants, in microseconds. */
export function compareProcessorTimes(measure: string, ours: Summary, theirs: Summary): Outcome | Skipped {
  const times = ({ rounds }: Summary): number[] => rounds.map((round) => (round.serverBusy / round.perSecond) * 1e6);
  const time = (summary: Summary): string => `${median(times(summary)).toFixed(1)} µs`;
  const [a, b] = [times(ours), times(theirs)];
  const value = median(a.map((one, index) => one / (b[index] ?? Number.NaN)));
  if (Number.isNaN(value)) return { measure, skipped: 'the system does not tell processor time' };
  return { measure, ours: time(ours), against: theirs.name, theirs: time(theirs), value, goal: undefined };
}

/** A latency of two contestants, in milliseconds. */
export function compareLatencies(
  measure: string,
  key: 'p50' | 'p99',
  ours: Summary,
  theirs: Summary,
  goal?: Goal,
): Outcome {
  const time = (summary: Summary): string => `${summary[key].toFixed(3)} ms`;
  return {
    measure,
    ours: time(ours),
    against: theirs.name,
    theirs: time(theirs),
    value: ratio(key, ours, theirs),
    goal,
  };
}

/** The summary of a contestant among those measured. */
export function summaryOf(summaries: readonly Summary[], { name }: { readonly name: string }): Summary {
  const found = summaries.find((summary) => summary.name === name);
  if (found === undefined) throw new Error(`${name} was not measured.`);
  return found;
}

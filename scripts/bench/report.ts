import type { Probe } from './check.ts';
import type { Bar, Context, Summary } from './context.ts';
import { machineLine, type Machine } from './machine.ts';
import { isReached, type Goal, type Outcome, type Skipped } from './row.ts';

/** What others may take of a machine before its numbers are worth little. */
const MOST_STOLEN = 0.02;

/** All that one run of the bench on one Node has found. */
export interface Report {
  readonly date: string;
  readonly node: string;
  readonly quick: boolean;
  readonly rounds: number;
  readonly machine: Machine;
  /** The part of the processors' time that others on a shared machine took meanwhile. */
  readonly stolen: number;
  readonly outcomes: readonly (Outcome | Skipped)[];
  readonly probes: readonly Probe[];
  /** The medians and all rounds behind those outcomes that share them, by name. */
  readonly shared: Readonly<Record<string, readonly Summary[]>>;
  /** What else the chart shows, by name. */
  readonly bars: Readonly<Record<string, readonly Bar[]>>;
}

export async function createReport(
  { node, quick, rounds, shared, bars }: Context,
  machine: Machine,
  stolen: number,
  outcomes: readonly (Outcome | Skipped)[],
  probes: readonly Probe[],
): Promise<Report> {
  const summaries = await Promise.all(
    // The rows of one that has failed say so.
    [...shared].map(async ([name, running]) => [name, await running.catch(() => [])] as const),
  );
  const date = new Date().toISOString();
  return {
    date,
    node: node.version,
    quick,
    rounds,
    machine,
    stolen,
    outcomes,
    probes,
    shared: Object.fromEntries(summaries),
    bars: Object.fromEntries(bars),
  };
}

/** The report for people. */
export function formatReport({ node, quick, rounds, machine, stolen, outcomes, probes, shared }: Report): string {
  const rows = outcomes.map((outcome) => ('skipped' in outcome ? skippedCells(outcome) : cells(outcome)));
  const lines = [
    `Node ${node}, ${rounds} rounds (new processes after two), ratios are medians of theirs${quick ? ' (--quick: for a look, not for a verdict)' : ''}`,
    machineLine(machine),
    '',
    ...table([['measure', 'ours', 'theirs', 'against', 'ratio', 'goal', ''], ...rows]),
  ];
  if (stolen > MOST_STOLEN)
    lines.push('', `Others took ${(stolen * 100).toFixed(0)} % of this machine's processors meanwhile: measure again.`);
  const limited = Object.values(shared)
    .flat()
    .filter(({ serverBusy }) => serverBusy < 0.85)
    .map(({ name, serverBusy }) => `${name} (${Math.round(serverBusy * 100)} % busy)`);
  if (limited.length > 0)
    lines.push('', `Limited by the disk or the load, not by their processor: ${limited.join(', ')}.`);
  if (probes.length > 0) lines.push('', 'DELETE /plants/9007199254740993, beside …991, …992 and …994:');
  for (const { name, verdict, happened } of probes) lines.push(`  ${verdict.padEnd(7)}  ${name}: ${happened}`);
  return lines.join('\n');
}

function cells({ measure, ours, against, theirs, value, goal }: Outcome): string[] {
  const verdict = goal === undefined ? '' : isReached(value, goal) ? 'pass' : 'SHORT';
  return [measure, ours, theirs, against, formatValue(value), goal === undefined ? '' : formatGoal(goal), verdict];
}

function skippedCells({ measure, skipped }: Skipped): string[] {
  return [measure, '', '', `skipped: ${skipped}`, '', '', ''];
}

function formatValue(value: number): string {
  return Math.abs(value) >= 20 ? value.toFixed(0) : value.toFixed(2);
}

function formatGoal(goal: Goal): string {
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

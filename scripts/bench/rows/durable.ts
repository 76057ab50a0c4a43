import { BARE, GLUE, OURS, OURS_AUDITING, OURS_LOGGING, VALIDATOR } from '../contestants.ts';
import { compareAtOnce, plantsForRun, plantsForRunAtOnce, share, type Context, type Summary } from '../context.ts';
import { compareLatencies, compareProcessorTimes, compareRates, summaryOf, type Row } from '../row.ts';

/** Durable deletes at 64 connections, each of another plant; measured once for all rows about them. */
function durable(context: Context): Promise<Summary[]> {
  const contestants = [OURS, BARE, GLUE, VALIDATOR, ...(context.quick ? [] : [OURS_LOGGING, OURS_AUDITING])];
  return share(context, 'durable', () =>
    contestants.map((contestant) => ({ contestant, plants: plantsForRun(context) })),
  );
}

const DELETES = 'durable DELETE/s, 64 connections';

export const durableAgainstBare: Row = {
  id: 'durable-bare',
  quick: true,
  run: async (context) => {
    const all = await durable(context);
    return [compareRates(DELETES, summaryOf(all, OURS), summaryOf(all, BARE), { atLeast: 0.8 })];
  },
};

/** Tells what the contract costs also where the disk is what all wait for. */
export const durableProcessorTime: Row = {
  id: 'durable-processor',
  run: async (context) => {
    const plants = plantsForRunAtOnce(context);
    const contestants = context.quick ? [OURS, BARE] : [OURS, BARE, OURS_LOGGING];
    const all = await compareAtOnce(
      context,
      contestants.map((contestant) => ({ contestant, plants })),
    );
    const bare = summaryOf(all, BARE);
    const measure = 'processor time of a durable DELETE, all servers loaded at once';
    const outcomes = [compareProcessorTimes(measure, summaryOf(all, OURS), bare)];
    if (!context.quick)
      outcomes.push(compareProcessorTimes('the same with a log line per request', summaryOf(all, OURS_LOGGING), bare));
    return outcomes;
  },
};

export const durableAgainstFastify: Row = {
  id: 'durable-fastify',
  quick: true,
  run: async (context) => {
    const all = await durable(context);
    return [compareRates(DELETES, summaryOf(all, OURS), summaryOf(all, GLUE), { atLeast: 6 })];
  },
};

export const durableAgainstExpress: Row = {
  id: 'durable-express',
  quick: true,
  run: async (context) => {
    const all = await durable(context);
    return [compareRates(DELETES, summaryOf(all, OURS), summaryOf(all, VALIDATOR), { atLeast: 10 })];
  },
};

export const durableTail: Row = {
  id: 'durable-p99',
  quick: true,
  run: async (context) => {
    const all = await durable(context);
    return [compareLatencies('p99, 64 connections', 'p99', summaryOf(all, OURS), summaryOf(all, BARE), { atMost: 2 })];
  },
};

export const durableLogging: Row = {
  id: 'durable-log',
  run: async (context) => {
    const measure = 'durable DELETE/s with a log line per request into a file';
    if (context.quick) return [{ measure, skipped: '--quick' }];
    const all = await durable(context);
    const bare = summaryOf(all, BARE);
    return [
      compareRates(measure, summaryOf(all, OURS_LOGGING), bare, { atLeast: 0.65 }),
      compareRates('the same with a line in the audit log too, as it comes', summaryOf(all, OURS_AUDITING), bare),
    ];
  },
};

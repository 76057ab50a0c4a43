import { createToken } from '../../../src/auth/token.ts';
import { OURS } from '../contestants.ts';
import { plantsForRun } from '../context.ts';
import { sendLoad, type Load } from '../load.ts';
import { median } from '../median.ts';
import type { Outcome, Row } from '../row.ts';
import { startServer } from '../server-process.ts';

/** One kind of answer. */
interface Measured {
  readonly name: string;
  /** @returns answers per second. */
  readonly send: (seconds: number) => Promise<number>;
  /** What `send` has returned in each round. */
  readonly rates: number[];
}

/** Each kind of refusal against a delete, on one server: there and back, each after a warm-up. */
export const refusals: Row = {
  id: 'refusals',
  run: async (context) => {
    const kinds: readonly (readonly [string, Partial<Load>])[] = [
      ['401 without token', { token: false }],
      ['401 with an unknown token', { token: createToken() }],
      ['400', { path: '/plants/abc' }],
      ['404, no such plant', { first: 1e12 }],
      ['404, no such path', { path: '/animals/%d' }],
    ];
    const plants = plantsForRun(context) * Math.ceil(context.rounds / 2);
    const server = await startServer(OURS, await context.databases.fresh(plants), context.node);
    let next = 1;
    async function sendDeletes(seconds: number): Promise<number> {
      const result = await sendLoad(server, { connections: 64, seconds, first: next });
      if (result.refused > 0) throw new Error(`${result.refused} deletes were refused.`);
      next += result.requests + 128;
      return result.perSecond;
    }
    async function sendRefused(seconds: number, name: string, load: Partial<Load>): Promise<number> {
      const result = await sendLoad(server, { connections: 64, seconds, ...load });
      if (result.refused !== result.requests) throw new Error(`${name}: some requests were not refused.`);
      return result.perSecond;
    }
    const deletes: Measured = { name: '204', send: sendDeletes, rates: [] };
    const refused = kinds.map(([name, load]): Measured => ({
      name,
      send: (seconds) => sendRefused(seconds, name, load),
      rates: [],
    }));
    try {
      const order = [deletes, ...refused];
      for (const { send } of order) await send(context.warmUp);
      for (let round = 0; round < context.rounds; round++) {
        for (const { send, rates } of order) rates.push(await send(context.seconds));
        order.reverse();
      }
    } finally {
      await server.stop();
    }
    const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
    return refused.map(({ name, rates }): Outcome => ({
      measure: `answers/s: ${name}`,
      ours: rate(median(rates)),
      against: '204',
      theirs: rate(median(deletes.rates)),
      value: median(rates.map((value, round) => value / (deletes.rates[round] ?? Number.NaN))),
      goal: { atLeast: 1 },
    }));
  },
};

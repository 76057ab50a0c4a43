import { createToken } from '../../../src/auth/token.ts';
import { OURS } from '../contestants.ts';
import { plantsForRun } from '../context.ts';
import { sendLoad, type Load } from '../load.ts';
import { median } from '../median.ts';
import type { Outcome, Row } from '../row.ts';
import { startServer } from '../server-process.ts';

/** Each kind of refusal against a delete, on one server. */
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
    const deletes: number[] = [];
    const refused = kinds.map((): number[] => []);
    let next = 1;
    async function measureDeletes(seconds: number): Promise<number> {
      const result = await sendLoad(server, { connections: 64, seconds, first: next });
      if (result.refused > 0) throw new Error(`${result.refused} deletes were refused.`);
      next += result.requests + 128;
      return result.perSecond;
    }
    try {
      await measureDeletes(context.warmUp);
      for (let round = 0; round < context.rounds; round++) {
        deletes.push(await measureDeletes(context.seconds));
        for (const [index, [name, load]] of kinds.entries()) {
          const result = await sendLoad(server, { connections: 64, seconds: context.seconds, ...load });
          if (result.refused !== result.requests) throw new Error(`${name}: some requests were not refused.`);
          refused[index]?.push(result.perSecond);
        }
      }
    } finally {
      await server.stop();
    }
    const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
    return kinds.map(([name], index): Outcome => {
      const rates = refused[index] ?? [];
      return {
        measure: `answers/s: ${name}`,
        ours: rate(median(rates)),
        against: '204',
        theirs: rate(median(deletes)),
        value: median(rates.map((value, round) => value / (deletes[round] ?? Number.NaN))),
        goal: { atLeast: 1 },
      };
    });
  },
};

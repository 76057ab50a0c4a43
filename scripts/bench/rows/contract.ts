import * as contestants from '../contestants.ts';
import { share, type Context, type Summary } from '../context.ts';
import { compareRates, summaryOf, type Row } from '../row.ts';

const { OURS_LAYER, GLUE_INSTANT, VALIDATOR_INSTANT, BACKEND_INSTANT, HONO_INSTANT, NAHKIES_INSTANT, BARE_INSTANT } =
  contestants;

/** Deletes that a store answers at once; measured once for both rows. */
function instant(context: Context): Promise<Summary[]> {
  const all = [OURS_LAYER, GLUE_INSTANT, BACKEND_INSTANT, HONO_INSTANT, NAHKIES_INSTANT];
  // For the chart; --quick has no time for them.
  const further = context.quick ? [] : [BARE_INSTANT, VALIDATOR_INSTANT];
  return share(context, 'contract', () => [...all, ...further].map((contestant) => ({ contestant, plants: 0 })));
}

const LAYER = 'contract layer alone, requests/s';

export const contractAgainstFastify: Row = {
  id: 'contract-fastify',
  quick: true,
  run: async (context) => {
    const all = await instant(context);
    return [compareRates(LAYER, summaryOf(all, OURS_LAYER), summaryOf(all, GLUE_INSTANT), { atLeast: 0.9 })];
  },
};

export const contractAgainstOthers: Row = {
  id: 'contract-others',
  quick: true,
  run: async (context) => {
    const all = await instant(context);
    const rivals = [BACKEND_INSTANT, HONO_INSTANT, NAHKIES_INSTANT];
    return rivals.map((rival) =>
      compareRates(LAYER, summaryOf(all, OURS_LAYER), summaryOf(all, rival), { atLeast: 2 }),
    );
  },
};

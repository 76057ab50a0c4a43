import { OURS } from '../contestants.ts';
import { compare, type Entry } from '../context.ts';
import { compareRates, type Row } from '../row.ts';

const FEW = 1_000;

/**
 * The same server on a large and on a small store that keep their size: 1,000 plants would be gone after some milliseconds otherwise. The
 * goal is held for ids in ascending order and for ids that lie all over the store, where each delete writes another page.
 */
export const plants: Row = {
  id: 'plants',
  run: async (context) => {
    const many = context.quick ? 1_000_000 : 10_000_000;
    const outcomes = [];
    // A prime that divides neither number of plants, so that all of them get their turn.
    const orders = [
      ['scattered', 618_033],
      ['ascending', 1],
    ] as const;
    for (const [order, step] of context.quick ? orders.slice(0, 1) : orders) {
      const entry = (count: number): Entry => ({
        contestant: { ...OURS, name: `${count.toLocaleString('en')} plants` },
        plants: count,
        keepsPlants: true,
        load: { first: 10, step, modulus: count },
      });
      const [large, small] = await compare(context, [entry(many), entry(FEW)]);
      if (large === undefined || small === undefined) throw new Error('Nothing was measured.');
      outcomes.push(compareRates(`${large.name} in the store, ${order} ids, DELETE/s`, large, small, { atLeast: 0.8 }));
    }
    return outcomes;
  },
};

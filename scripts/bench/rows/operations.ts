import { oursWithOperations } from '../contestants.ts';
import { compare } from '../context.ts';
import { compareRates, type Row } from '../row.ts';

/** A large contract, in which the plant operation stands last, against the project's own. */
export const operations: Row = {
  id: 'operations',
  run: async (context) => {
    // --quick has no time for the start with 1,000 of them.
    const count = context.quick ? 100 : 1_000;
    const [many, one] = await compare(context, [
      { contestant: oursWithOperations(count), plants: 0 },
      { contestant: oursWithOperations(1), plants: 0 },
    ]);
    if (many === undefined || one === undefined) throw new Error('Nothing was measured.');
    return [
      compareRates(`${count.toLocaleString('en')} operations in the contract, requests/s`, many, one, { atLeast: 0.9 }),
    ];
  },
};

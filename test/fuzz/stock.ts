import type { StoreProcess } from '../support/store-process.ts';
import { plantsOfCases } from './ids.ts';

/** The plants of the cases, put in while the server runs. */
export interface Stock {
  /** Resolves when the plants of a case are there; those of many that follow are then on their way. */
  until(index: number): Promise<void>;
  /** Resolves when no more are on their way. @returns the number of cases whose plants were put in. */
  settled(): Promise<number>;
}

/** Cases whose plants are put in at once. */
const CASES = 10_000;

/** A stock of plants, which is empty at first. */
export function createStock(server: Pick<StoreProcess, 'plant'>): Stock {
  const imports: Promise<void>[] = [];
  return {
    until: async (index) => {
      // One import ahead, which takes far less time than its cases.
      while (imports.length * CASES <= index + CASES) {
        const from = imports.length * CASES;
        const before = imports.at(-1) ?? Promise.resolve();
        const next = before.then(() => server.plant(plantsOfCases(from, from + CASES)));
        // Whoever waits for it is told.
        next.catch(() => undefined);
        imports.push(next);
      }
      await imports[Math.floor(index / CASES)];
    },
    settled: async () => {
      await imports.at(-1);
      return imports.length * CASES;
    },
  };
}

import type { StoreProcess } from '../support/store-process.ts';
import { plantsOfCases } from './ids.ts';

/** The plants of the cases, put in while the server runs. */
export interface Stock {
  /** Resolves when the plants of a case are inserted. Prefetches those of later cases. */
  until(index: number): Promise<void>;
  /** Resolves when no insert is pending. @returns the number of cases with plants. */
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
        // until() and settled() report the error.
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

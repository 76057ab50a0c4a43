/**
 * The part of @jest/globals that the tests of the garden use, on node:test: for runtimes in which
 * jest does not run.
 */
import { after, before, test as run } from 'node:test';
import { format } from 'node:util';

export { expect } from 'expect';
export { before as beforeAll, after as afterAll };

type Body = (...row: readonly unknown[]) => unknown;

function each(rows: readonly unknown[]): (name: string, body: Body) => void {
  return (name, body) => {
    for (const row of rows) {
      const values: readonly unknown[] = Array.isArray(row) ? row : [row];
      void run(format(name, ...values), async () => {
        await body(...values);
      });
    }
  };
}

export const test = Object.assign(
  (name: string, body: () => unknown): void => {
    void run(name, async () => {
      await body();
    });
  },
  { each },
);

import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Workplace, type Environment, type ServerProcess } from '../support/cli.ts';
import { stock, type Stock } from '../support/stock.ts';

/** A running server with plants in its database. */
export interface StockedServer {
  readonly place: Workplace;
  plants: Stock;
  server: ServerProcess;
}

/** One server for all tests of a file; no test may end it. */
export function serverOfAllTests(count: number, env: Environment): StockedServer {
  return startedBy(beforeAll, afterAll, count, env);
}

/** A new server for each test of a file. */
export function serverOfEachTest(count: number, env: Environment): StockedServer {
  return startedBy(beforeEach, afterEach, count, env);
}

function startedBy(before: typeof beforeAll, after: typeof afterAll, count: number, env: Environment): StockedServer {
  const place = new Workplace();
  // Complete before the first test.
  const at = { place } as StockedServer;
  before(async () => {
    await place.open();
    at.plants = await stock(place, count);
    at.server = await place.serve(env);
  });
  after(() => place.remove());
  return at;
}

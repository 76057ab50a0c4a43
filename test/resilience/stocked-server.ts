import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { workplace, type Environment, type ServerProcess, type Workplace } from '../support/cli.ts';
import { stock, type Stock } from '../support/stock.ts';

/** A running server with plants in its database. */
export interface StockedServer {
  readonly place: Workplace;
  readonly plants: Stock;
  readonly server: ServerProcess;
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
  let place: Workplace;
  let plants: Stock;
  let server: ServerProcess;
  before(async () => {
    place = await workplace();
    plants = await stock(place, count);
    server = await place.serve(env);
  });
  after(() => place.remove());
  return {
    get place() {
      return place;
    },
    get plants() {
      return plants;
    },
    get server() {
      return server;
    },
  };
}

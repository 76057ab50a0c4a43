import { afterAll, beforeAll } from '@jest/globals';
import { Workplace, type Environment, type ServerProcess } from '../support/cli.ts';
import { stock, type Stock } from '../support/stock.ts';

/** A running server with plants in its database. */
export interface StockedServer {
  readonly place: Workplace;
  plants: Stock;
  server: ServerProcess;
}

/** What such a server writes to standard error, as long as nothing goes wrong. */
export const BANNER = /^The plant store is at .*\nTry it .*\nMake a token: .*\n$/;

/** One server for all tests of a file. */
export function stockedServer(count: number, env: Environment): StockedServer {
  const place = new Workplace();
  // Complete before the first test.
  const at = { place } as StockedServer;
  beforeAll(async () => {
    await place.open();
    at.plants = await stock(place, count);
    at.server = await place.serve(env);
  });
  afterAll(() => place.remove());
  return at;
}

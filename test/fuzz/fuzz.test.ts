import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { fuzz } from './fuzz.ts';
import { Violation } from './violation.ts';

const SECONDS = 5;
/** Few, because other tests run at the same time. */
const CLIENTS = 3;

test(`${SECONDS} seconds of hostile requests cause only responses of the contract, and delete nothing without a token`, async () => {
  const seed = randomInt(2 ** 31);
  const { statuses } = await fuzz({ seed, seconds: SECONDS, clients: CLIENTS }).catch((error: unknown) => {
    throw error instanceof Violation ? new Error(error.describe(seed), { cause: error }) : error;
  });
  // Requests that all fail in the same way would prove little.
  const seen = Object.keys(statuses).map(Number);
  expect(seen).toEqual(expect.arrayContaining([204, 400, 401, 404]));
}, 180_000);

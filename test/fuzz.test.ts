import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { fuzz } from '../scripts/fuzz/fuzz.ts';
import { showBytes } from '../scripts/fuzz/show-bytes.ts';
import { Violation } from '../scripts/fuzz/violation.ts';

const SECONDS = 20;
/** Few, because other tests run at the same time. */
const CLIENTS = 3;

/** How the run can be repeated, and what was sent, for whoever reads the failure. */
function withSeed(error: unknown, seed: number): unknown {
  if (!(error instanceof Violation)) return error;
  const sent = error.sent.map((bytes) => `sent: ${showBytes(bytes)}`);
  return new Error([`npm run test:fuzz -- --seed ${seed}`, error.message, ...sent].join('\n'), { cause: error });
}

test(`${SECONDS} seconds of hostile requests bring no answer but those of the contract, and delete nothing without a token`, async () => {
  const seed = randomInt(2 ** 31);
  const { statuses } = await fuzz({ seed, seconds: SECONDS, clients: CLIENTS }).catch((error: unknown) => {
    throw withSeed(error, seed);
  });
  // Requests that all fail in the same way would prove little.
  const seen = [204, 400, 401, 404, 405, 417, 431].filter((status) => (statuses[status] ?? 0) > 0);
  expect(seen).toEqual([204, 400, 401, 404, 405, 417, 431]);
}, 180_000);

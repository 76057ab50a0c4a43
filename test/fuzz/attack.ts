import { expect } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { expectConformance, type WireResponse } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { issueToken, startService, type Service, type ServiceOptions } from '../support/service.ts';
import { caseOf, draft, type Case, type Means } from './cases.ts';

/** How long a connection may wait for bytes that never come, in milliseconds. */
const WAIT = 300;
/** Much longer than the service takes for a connection, in milliseconds. */
const PATIENCE = 60_000;
/** Cases between two looks at the clock. */
const RUNS = 20;
/** So many properties each client checks at least, however slow the machine is. */
const LEAST_ROUNDS = 5;
const RANGE = 1_111_111_111_111_111_111n;

/** Statuses of requests outside all operations. */
const OUTSIDE = new Set([400, 404, 405, 408, 417, 421, 431, 501]);
/** A header with another name is one that a request has put there. */
const HEADERS = new Set([
  ...['allow', 'cache-control', 'connection', 'content-length', 'content-security-policy', 'content-type', 'date'],
  ...['keep-alive', 'retry-after', 'www-authenticate', 'x-content-type-options', 'x-request-id'],
]);

interface Outcome {
  readonly responses: readonly WireResponse[];
  /** Whether the service closed the connection behind its last response. */
  readonly isComplete: boolean;
}

/**
 * Sends hostile bytes to a service, and holds every response against the contract and the plants
 * against the deletes that were sent with the valid token.
 * @param clients connections at a time. @param log names the handlers' way to the log.
 * @returns how often each status was answered. @throws Error with seed and bytes of a failure.
 */
export async function attack(
  { seed, seconds, clients }: { seed: number; seconds: number; clients: number },
  optionsWith: (service: () => Service, log: RecordedLog['log']) => ServiceOptions = () => ({}),
): Promise<ReadonlyMap<number, number>> {
  const recorded = new RecordedLog();
  const service: Service = await startService(
    [],
    recorded.log,
    optionsWith(() => service, recorded.log),
  );
  const revoked = await issueToken(service.stores, 'revoked');
  await service.stores.tokens.revokeToken('revoked', Date.now());
  const statuses = new Map<number, number>();
  const end = performance.now() + seconds * 1000;
  let read = 0;

  /** No line of the log so far may be an error or hold a token. */
  function expectHarmlessLog(): void {
    for (; read < recorded.lines.length; read++) {
      const line = recorded.lines[read] ?? {};
      expect(Number(line['level'])).toBeLessThan(50);
      expect(JSON.stringify(line)).not.toContain(service.token);
    }
  }

  async function client(range: bigint): Promise<void> {
    let next = range * RANGE;
    const property = fc.asyncProperty(draft, async (drawn) => {
      // At both ends of int64, with ids that no change of a few digits turns into another case's.
      const four = [next, next + 2n, -next, -next - 2n];
      next += 4n;
      const means: Means = { targets: four, neighbours: four.map((id) => id + 1n), valid: service.token, revoked };
      const planted = [...means.targets, ...means.neighbours];
      await service.stores.plants.insertPlants(planted);
      const drawnCase = caseOf(drawn, means);
      const outcome = await send(service, drawnCase);
      expectHarmlessLog();
      checkResponses(drawnCase, outcome, service.token);
      for (const { status } of outcome.responses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const there = await service.stores.plants.findPlants(planted);
      const gone = planted.filter((id) => !there.has(id));
      expect(gone.filter((id) => !drawnCase.mayDelete.has(id))).toEqual([]);
      // A response to OPTIONS has Allow.
      const deleted = outcome.responses.filter(({ status, headers }) => status === 204 && !('allow' in headers)).length;
      if (outcome.isComplete) expect(gone).toHaveLength(deleted);
      else expect(gone.length).toBeGreaterThanOrEqual(deleted);
      await service.stores.plants.deletePlants(planted);
    });
    for (let round = 0; round < LEAST_ROUNDS || performance.now() < end; round++) {
      await fc.assert(property, { seed: seed + Number(range) - 1 + clients * round, numRuns: RUNS });
    }
  }

  try {
    await Promise.all(Array.from({ length: clients }, (_, index) => client(BigInt(index + 1))));
    return statuses;
  } finally {
    await service.close();
  }
}

/** Writes a case on a connection of its own and reads until that ends. */
async function send({ url }: Service, { pieces, pause: between, ending }: Case): Promise<Outcome> {
  const { socket, responses, ended } = await openRaw(url);
  // At PRI, the preface of HTTP/2, Node closes the connection without the pending responses.
  let isComplete = ending === 'sentinel' && !Buffer.concat(pieces).includes('PRI');
  socket.on('error', () => (isComplete = false));
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await (between === 0 ? new Promise(setImmediate) : pause(between));
  }
  if (ending === 'half-close') socket.end();
  else if (ending === 'destroy') socket.destroy();
  else if (ending === 'reset') socket.resetAndDestroy();
  const waiting = setTimeout(() => {
    isComplete = false;
    socket.end();
  }, WAIT);
  const stuck = setTimeout(() => socket.destroy(new Error('stuck')), PATIENCE);
  const seconds = await ended;
  clearTimeout(waiting);
  clearTimeout(stuck);
  expect(seconds).toBeLessThan(PATIENCE / 1000);
  return { responses, isComplete };
}

function checkResponses({ expected }: Case, { responses, isComplete }: Outcome, token: string): void {
  for (const response of responses) {
    const { status, headers } = response;
    if (OUTSIDE.has(status)) expectConformance('', '', response);
    else expectConformance('DELETE', '/plants/1', response);
    // Nothing but the requests is out of order.
    expect(status < 500 || status === 501).toBe(true);
    if (status === 405) expect(headers).toHaveProperty('allow');
    expect(Object.keys(headers).filter((name) => !HEADERS.has(name))).toEqual([]);
    expect(JSON.stringify(response)).not.toContain(token);
  }
  if (!isComplete) return;
  expect(responses.length).toBeGreaterThan(0);
  if (expected !== undefined) expect(responses.map(({ status }) => status)).toEqual(expected);
}

import { beforeAll, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/http/limits.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther } from '../support/stock.ts';
import { deleteWhile } from './delete-while.ts';
import { serverOfAllTests } from './stocked-server.ts';

/** Milliseconds between two bytes of a slow client. */
const SLOW = 1_000;
/** How much later than its limit a connection may be cut on a machine that is busy, in seconds. */
const GRACE = 10;

const at = serverOfAllTests(30_000, { NODE_ENV: 'production' });
/** The plants of another client. */
let others: Iterator<bigint>;
beforeAll(() => {
  others = everyOther(at.plants.ids)[Symbol.iterator]();
});

/** A connection that was cut: what was answered, and how long it lasted. */
interface Cut {
  readonly statuses: readonly number[];
  readonly seconds: number;
}

/** Writes the first text at once and the second byte by byte, for as long as the server listens. */
async function trickle(atOnce: string, slowly: string): Promise<Cut> {
  const { socket, responses, ended } = await openRaw(at.server.url);
  if (atOnce !== '') socket.write(atOnce);
  let next = 0;
  const timer = setInterval(() => socket.write(slowly.charAt(next++ % slowly.length)), SLOW);
  const seconds = await ended;
  clearInterval(timer);
  for (const response of responses) expectConformance('', '', response);
  return { statuses: responses.map(({ status }) => status), seconds };
}

/** Many clients at once. @returns the longest connection, in seconds, and all answers. */
async function many(count: number, client: (index: number) => Promise<Cut>): Promise<{ longest: number; all: Cut[] }> {
  const all = await Promise.all(Array.from({ length: count }, (_, index) => client(index)));
  return { longest: Math.max(...all.map(({ seconds }) => seconds)), all };
}

function head(method: string, ...headers: readonly string[]): string {
  // A plant that the other client does not delete.
  const line = `${method} /plants/${at.plants.ids[0] ?? 0n} HTTP/1.1`;
  return [line, 'Host: plants', `Authorization: Bearer ${at.plants.token}`, ...headers].join('\r\n');
}

/** The latest time for a limit to take effect: the server checks once in an interval. */
function latest(limit: number): number {
  return (limit + LIMITS.connectionsCheckingInterval) / 1000 + GRACE;
}

test('200 clients that send their headers a byte a second are cut with 408, and others are served meanwhile', async () => {
  const [atOnce, slowly] = ['', head('DELETE')];
  const fault = many(200, (index) =>
    index % 2 === 0 ? trickle(atOnce, slowly) : trickle(`${slowly}\r\n`, 'x-slow: yes\r\n'),
  );
  const { summary } = await deleteWhile(fault, at.plants, at.server, others);
  const { longest, all } = await fault;
  expect(all.map(({ statuses }) => statuses)).toEqual(all.map(() => [408]));
  expect(longest).toBeLessThan(latest(LIMITS.headersTimeout));
  await at.plants.expectUnharmed(
    '200 clients send headers a byte a second',
    `408 after ${longest.toFixed(1)} s at most; ${summary}`,
  );
});

test('200 clients that send a body a byte a second are cut, and others are served meanwhile', async () => {
  const length = '\r\nContent-Length: 1000\r\n\r\n';
  const chunked = '\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n';
  const kinds = [
    // Refused for its body, and closed at once.
    { bytes: head('DELETE') + length, status: 400 },
    { bytes: head('DELETE') + chunked, status: 400 },
    // Refused for other reasons: its body is read to the end, to find the next request.
    { bytes: head('POST') + length, status: 405 },
    { bytes: head('POST') + chunked, status: 405 },
  ];
  const fault = many(200, (index) => trickle(kinds[index % 4]?.bytes ?? '', 'x'));
  const { summary } = await deleteWhile(fault, at.plants, at.server, others);
  const { longest, all } = await fault;
  expect(all.map(({ statuses }) => statuses)).toEqual(all.map((_, index) => [kinds[index % 4]?.status]));
  expect(longest).toBeLessThan(latest(LIMITS.requestTimeout));
  await at.plants.expectUnharmed(
    '200 clients send a body a byte a second',
    `400 or 405, cut after ${longest.toFixed(1)} s at most; ${summary}`,
  );
});

test('1,000 idle connections are closed, and others are served meanwhile', async () => {
  const fault = many(1_000, async (index) => {
    const { socket, responses, until, ended } = await openRaw(at.server.url);
    // Every other one has been used before.
    if (index % 2 === 1) {
      socket.write(`${head('GET')}\r\n\r\n`);
      await until(1);
    }
    const seconds = await ended;
    return { statuses: responses.map(({ status }) => status), seconds };
  });
  const { summary } = await deleteWhile(fault, at.plants, at.server, others);
  const { all } = await fault;
  expect(all.map(({ statuses }) => statuses)).toEqual(all.map((_, index) => [index % 2 === 1 ? 405 : 408]));
  const longest = (used: number): number =>
    Math.max(...all.filter((_, index) => index % 2 === used).map(({ seconds }) => seconds));
  expect(longest(0)).toBeLessThan(latest(LIMITS.headersTimeout));
  const shortest = Math.min(...all.filter((_, index) => index % 2 === 1).map(({ seconds }) => seconds));
  expect(shortest).toBeGreaterThanOrEqual(LIMITS.keepAliveTimeout / 1000);
  // Node closes a connection a second later than it has promised its client.
  expect(longest(1)).toBeLessThan(latest(LIMITS.keepAliveTimeout + 1_000));
  await at.plants.expectUnharmed(
    '1,000 idle connections',
    `closed after ${longest(1).toFixed(1)} s, never used ${longest(0).toFixed(1)} s, at most; ${summary}`,
  );
});

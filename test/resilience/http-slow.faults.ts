import { beforeAll, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/http/limits.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther } from '../support/stock.ts';
import { deleteDuring } from './delete-during.ts';
import { serverOfAllTests } from './stocked-server.ts';

/** Milliseconds between two bytes of a slow client. */
const SLOW = 1_000;
/** How much later than its limit a connection may be cut on a machine that is busy, in seconds. */
const GRACE = 10;

const at = serverOfAllTests(30_000, { NODE_ENV: 'production', CONNECTIONS_PER_CLIENT: '0' });
/** The plants of another client. */
let others: Iterator<bigint>;
beforeAll(() => {
  others = everyOther(at.plants.ids)[Symbol.iterator]();
});

/** What a client sends, how it is answered, and the limit after which its connection is closed. */
interface Kind {
  readonly atOnce: string;
  /** Sent byte by byte, again and again, for as long as the server listens. */
  readonly slowly: string;
  readonly status: number;
  /** In milliseconds. */
  readonly limit: number;
}

/** @returns the statuses of the responses, and how long the connection lasted, in seconds. */
async function trickle({ atOnce, slowly }: Kind): Promise<{ statuses: number[]; seconds: number }> {
  const { socket, responses, ended } = await openRaw(at.server.url);
  if (atOnce !== '') socket.write(atOnce);
  let next = 0;
  const timer = setInterval(() => socket.write(slowly.charAt(next++ % slowly.length)), SLOW);
  const seconds = await ended;
  clearInterval(timer);
  for (const response of responses) expectConformance('', '', response);
  return { statuses: responses.map(({ status }) => status), seconds };
}

function head(method: string, ...headers: readonly string[]): string {
  // A plant that the other client does not delete.
  const line = `${method} /plants/${at.plants.ids[0] ?? 0n} HTTP/1.1`;
  return [line, 'Host: plants', `Authorization: Bearer ${at.plants.token}`, ...headers].join('\r\n');
}

const { headersTimeout, requestTimeout, connectionsCheckingInterval } = LIMITS;
const LENGTH = 'Content-Length: 1000\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n3e8\r\n';

// test/http/server.test.ts has connections on which nothing comes.
test.each<[what: string, clients: number, kinds: () => Kind[]]>([
  [
    'send headers a byte a second',
    200,
    () => [
      { atOnce: '', slowly: head('DELETE'), status: 408, limit: headersTimeout },
      { atOnce: `${head('DELETE')}\r\n`, slowly: 'x-slow: yes\r\n', status: 408, limit: headersTimeout },
    ],
  ],
  [
    'send a body a byte a second',
    200,
    () => [
      // Refused for its body, and closed at once.
      { atOnce: head('DELETE', LENGTH), slowly: 'x', status: 400, limit: requestTimeout },
      { atOnce: head('DELETE', CHUNKED), slowly: 'x', status: 400, limit: requestTimeout },
      // Refused for other reasons: its body is read to the end, to find the next request.
      { atOnce: head('POST', LENGTH), slowly: 'x', status: 405, limit: requestTimeout },
      { atOnce: head('POST', CHUNKED), slowly: 'x', status: 405, limit: requestTimeout },
    ],
  ],
])('clients that %s are cut, and others are served meanwhile', async (what, clients, kindsOf) => {
  const kinds = kindsOf();
  const fault = Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const kind = kinds[index % kinds.length];
      if (kind === undefined) throw new Error('unreachable: there is a kind for each client');
      return { kind, ...(await trickle(kind)) };
    }),
  );
  const { summary } = await deleteDuring(fault, at.plants, at.server, others, 1);
  expect(Object.keys(at.plants.ledger.statuses())).toEqual(['204']);
  for (const { kind, statuses, seconds } of await fault) {
    expect(statuses).toEqual([kind.status]);
    // The server checks once in an interval.
    expect(seconds).toBeLessThan((kind.limit + connectionsCheckingInterval) / 1000 + GRACE);
  }
  const longest = Math.max(...(await fault).map(({ seconds }) => seconds));
  await at.plants.expectUnharmed(`${clients} clients ${what}`, `cut after ${longest.toFixed(1)} s at most; ${summary}`);
});

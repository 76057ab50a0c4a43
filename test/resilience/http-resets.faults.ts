import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { openRaw } from '../support/raw-connection.ts';
import { serverOfAllTests } from './stocked-server.ts';

/** Connections that are reset in each phase of the request. */
const CLIENTS = 200;

const at = serverOfAllTests(25_000, { NODE_ENV: 'production' });

/** Plants between neighbours that are never deleted; no two calls give the same. */
let used = 0;
function nextPlants(count: number): bigint[] {
  return Array.from({ length: count }, () => at.plants.ids[2 * used++ + 1] ?? 0n);
}

async function expectAlive(): Promise<void> {
  for (const id of nextPlants(2)) expect(await at.plants.delete(at.server, id)).toBe(204);
  expect(at.server.errors()).toBe('');
  expect(at.server.output()).not.toMatch(/"level":[56]0/);
}

const HEAD = '\r\n\r\n';
test.each<[phase: string, part: (request: string) => string, statuses: number[]]>([
  ['after connecting', () => '', []],
  ['in the id', (request) => request.slice(0, request.indexOf(' HTTP') - 1), []],
  ['behind the request line', (request) => request.slice(0, request.indexOf('\r\n') + 2), []],
  ['before the last byte', (request) => request.slice(0, -1), []],
  // A body of DELETE is refused at once; that of an undeclared method is read to its end.
  ['in a body', (request) => request.replace(HEAD, '\r\nContent-Length: 9\r\n\r\nsome'), [400]],
  [
    'in a chunked body that is discarded',
    (request) => request.replace('DELETE', 'POST').replace(HEAD, '\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\nsome'),
    [405],
  ],
])('connections that are reset %s delete nothing', async (phase, part, statuses) => {
  await Promise.all(
    nextPlants(CLIENTS).map(async (id, client) => {
      const { socket, responses, ended } = await openRaw(at.server.url);
      socket.write(part(at.plants.request(id)));
      // With and without time for the server to read it.
      await pause(client % 5);
      socket.resetAndDestroy();
      await ended;
      for (const { status } of responses) expect(statuses).toContain(status);
    }),
  );
  await expectAlive();
  await at.plants.expectUnharmed(`${CLIENTS} connections reset ${phase}`, 'nothing deleted, the server lives', [0]);
});

test.each([
  ['behind the request', 200, 1, 0],
  ['among 50 answers', 100, 50, 1_000],
])(
  'connections that are reset %s delete what they have asked for at most',
  async (phase, connections, requests, ms) => {
    const before = at.plants.ledger.statuses();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const ids = nextPlants(requests);
        const { socket, responses, ended } = await openRaw(at.server.url);
        await new Promise((written) => socket.write(ids.map((id) => at.plants.request(id)).join(''), written));
        if (ms > 0) await pause(Math.random() * ms);
        socket.resetAndDestroy();
        await ended;
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 204));
        ids.forEach((id, index) => {
          at.plants.ledger.note(id, responses[index]?.status ?? 0);
        });
      }),
    );
    const after = at.plants.ledger.statuses();
    const [answered = 0, unanswered = 0] = [204, 0].map((status) => (after[status] ?? 0) - (before[status] ?? 0));
    // Without both kinds the test would show less than it says.
    if (ms > 0) expect(Math.min(answered, unanswered)).toBeGreaterThan(0);
    await expectAlive();
    await at.plants.expectUnharmed(
      `${connections} connections reset ${phase}`,
      `${answered} deletes answered, ${unanswered} not; the server lives`,
      [0],
    );
  },
);

test('a server whose clients have reset their connections stops in order, and has an audit line for each deletion, no more and no less', async () => {
  expect(await at.server.stop()).toBe(0);
  const audited = [...at.server.output().matchAll(/^\{.*"name":"audit".*\}$/gm)].map(
    // Lines of the audit log have the id of the plant as text.
    ([line]) => BigInt((JSON.parse(line) as { id: string }).id),
  );
  const left = new Set(await at.plants.plants());
  expect(audited.sort(ascending)).toEqual(at.plants.ids.filter((id) => !left.has(id)));
});

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

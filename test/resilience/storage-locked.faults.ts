import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../../src/http/limits.ts';
import { MAX_WAITING } from '../../src/stores/group-commit.ts';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { pollLivez } from '../support/health.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { errorCode, everyOther, stock, type Stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

const place = workplaceOfEachTest();

/** How many deletes wait for their commit, as the server tells operators. */
async function queueLength(server: ServerProcess): Promise<number> {
  const text = await (await fetch(`${server.admin}/metrics`)).text();
  return Number(/^store_queue_length (\d+)$/m.exec(text)?.[1]);
}

test('while another process holds the lock for 2 seconds /livez is answered and deletes wait for their 204', async () => {
  const plants = await stock(place, 400);
  const server = await place.serve();
  const wanted = everyOther(plants.ids);
  await plants.deleteAll(server, wanted.slice(0, 20));
  const { asked, answers, early, queued } = await whileLocked(plants.file, async (release) => {
    const asked = plants.deleteAll(server, wanted.slice(20), 64);
    const answers = await pollLivez(server, lasting(2_000));
    const early = plants.ledger.statuses()[204];
    const queued = await queueLength(server);
    release();
    return { asked, answers, early, queued };
  });
  await asked;
  expect({ early, queued }).toEqual({ early: 20, queued: 64 });
  expect(await queueLength(server)).toBe(0);
  expect(plants.ledger.statuses()).toEqual({ 204: 200 });
  // A server that waited for the lock would answer once.
  expect(answers).toBeGreaterThan(10);
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(
    'another process holds the write lock for 2 s',
    `${plants.answers()}; ${answers} × /livez meanwhile`,
  );
});

test('what waits on a connection behind a delete that waits too long is refused at once, with nothing done', async () => {
  const plants = await stock(place, 100);
  const server = await place.serve();
  const wanted = everyOther(plants.ids).slice(0, 5);
  const { responses, seconds } = await whileLocked(plants.file, async () => {
    const start = performance.now();
    const { socket, until } = await openRaw(server.url);
    socket.write(wanted.map((id) => plants.request(id)).join(''));
    const responses = await until(wanted.length);
    socket.destroy();
    return { responses, seconds: (performance.now() - start) / 1000 };
  });
  const [first, ...behind] = responses.map(({ text }) => errorCode(text));
  expect([50300, 50302]).toContain(first);
  expect(behind).toEqual([50302, 50302, 50302, 50302]);
  for (const { headers } of responses) expect(headers).toMatchObject({ 'retry-after': '1' });
  // Each of them waited for 5 s of its own once.
  expect(seconds).toBeLessThan(8);
  wanted.forEach((id, index) => {
    plants.ledger.note(id, errorCode(responses[index]?.text ?? ''));
  });
  for (const id of wanted) expect(await plants.delete(server, id)).toBe(204);
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(
    'five deletes in one write while the lock is held for longer than 5 s',
    `${plants.answers()}; all refused after ${seconds.toFixed(1)} s`,
  );
});

test('when more deletes wait than may, one more is refused at once with Retry-After and nothing done', async () => {
  // Connections are limited to the queue's length: only deletes whose clients have left fill it.
  const [early, late] = [LIMITS.maxConnections - 500, MAX_WAITING / 4];
  const plants = await stock(place, 2 * (early + late + 10));
  const server = await place.serve({ CONNECTIONS_PER_CLIENT: '0' });
  const wanted = everyOther(plants.ids);
  const last = wanted.slice(-10);
  // Connected before the lock, so that the pace of the machine counts for little.
  const clients = await connectAll(server, early);
  const seconds = await whileLocked(plants.file, async (release) => {
    const start = performance.now();
    sendDeletes(plants, clients, wanted);
    await untilQueued(server, early);
    const leaving = clients.splice(0, late);
    for (const { socket } of leaving) socket.resetAndDestroy();
    // The server takes no others before it has seen them leave.
    await Promise.all(leaving.map(({ ended }) => ended));
    await pause(200);
    const others = await connectAll(server, late);
    sendDeletes(plants, others, wanted.slice(early));
    // The first answer says that the queue is full.
    const [refusal] = await Promise.race(others.map(({ until }) => until(1)));
    expect(refusal).toMatchObject({ status: 503 });
    expect(errorCode(refusal?.text ?? '')).toBe(50302);
    for (const id of last) expect(await plants.delete(server, id)).toBe(50302);
    const elapsed = (performance.now() - start) / 1000;
    for (const { socket } of [...clients, ...others]) socket.resetAndDestroy();
    release();
    return elapsed;
  });
  // Within the time that a delete may wait: these were refused for the number of them.
  expect(seconds).toBeLessThan(5);
  while ((await queueLength(server)) > 0) await pause(20);
  for (const id of last) expect(await plants.delete(server, id)).toBe(204);
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(
    `${early + late} clients delete and leave while another process holds the write lock`,
    `${plants.answers()}; the others were refused within ${seconds.toFixed(1)} s`,
    [0],
  );
});

/** True until some milliseconds are over. */
function lasting(duration: number): () => boolean {
  const end = performance.now() + duration;
  return () => performance.now() < end;
}

async function connectAll(server: ServerProcess, count: number): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => openRaw(server.url)));
}

/** Sends a delete on each connection; what is answered is not noted. */
function sendDeletes(plants: Stock, connections: readonly RawConnection[], ids: readonly bigint[]): void {
  for (const [index, { socket }] of connections.entries()) {
    const id = ids[index];
    if (id === undefined) throw new Error(`There are ${ids.length} ids for ${connections.length} clients.`);
    socket.write(plants.request(id));
    plants.ledger.note(id, 0);
  }
}

async function untilQueued(server: ServerProcess, count: number): Promise<void> {
  const end = performance.now() + 4_000;
  for (let length = 0; length < count; length = await queueLength(server)) {
    if (performance.now() > end) throw new Error(`${length} deletes wait, not ${count}.`);
    await pause(20);
  }
}

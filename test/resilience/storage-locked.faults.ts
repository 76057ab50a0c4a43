import { expect, test } from '@jest/globals';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { healthOf } from '../support/health.ts';
import { openRaw } from '../support/raw-connection.ts';
import { errorCode, everyOther, stock } from '../support/stock.ts';
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
  const { asked, early, queued } = await whileLocked(plants.file, async (release) => {
    const asked = plants.deleteAll(server, wanted.slice(20), 64);
    await pause(2_000);
    expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
    const early = plants.ledger.statuses()[204];
    const queued = await queueLength(server);
    release();
    return { asked, early, queued };
  });
  await asked;
  expect({ early, queued }).toEqual({ early: 20, queued: 64 });
  expect(await queueLength(server)).toBe(0);
  expect(plants.ledger.statuses()).toEqual({ 204: 200 });
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed('another process holds the write lock for 2 s');
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
  await plants.expectUnharmed('five deletes in one write while the lock is held for longer than 5 s');
});

import { expect, test } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../src/errors.ts';
import { type ServerProcess, workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, queueLength, untilReadyz } from '../support/health.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther, stock, type Stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';
import { BANNER } from './stocked-server.ts';

const place = workplaceOfEachTest();

/** Options of Node with which a signal fails. */
function throwing(code: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} });`)}`];
}

test.each<[fault: string, signal: NodeJS.Signals, exit: number, node: readonly string[]]>([
  ['SIGTERM', 'SIGTERM', 0, []],
  ['SIGINT', 'SIGINT', 0, []],
  ['an uncaught exception', 'SIGUSR2', 1, throwing("throw new Error('injected')")],
  ['an unhandled rejection', 'SIGUSR2', 1, throwing("Promise.reject(new Error('injected'))")],
])(
  'deletes at work when %s comes are all answered, while the server is not ready and takes no connection',
  async (fault, signal, exit, node) => {
    const plants = await stock(place, 400);
    const server = await place.serve({}, node);
    expect(await healthOf(server, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    const asked = await whileLocked(plants.file, async (release) => {
      // The lock keeps every delete at work.
      const asked = Promise.all(everyOther(plants.ids).map((id) => plants.delete(server, id)));
      while ((await queueLength(server)) !== 200) await pause(20);
      server.kill(signal);
      expect(await untilReadyz(server, 503, 1_000)).toEqual({
        status: 503,
        body: { status: 'not ready', reason: expect.any(String) },
      });
      expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
      expect(await openRaw(server.url).catch(codeOf)).toBe('ECONNREFUSED');
      release();
      return { answered: asked };
    });
    await asked.answered;
    const released = performance.now();
    const { code, stdout, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(BANNER) });
    expect(performance.now() - released).toBeLessThan(10_000);
    // No line of the log is lost at the end.
    const lines = stdout.trimEnd().split('\n');
    const audited = Array.from(stdout.matchAll(/^.*"name":"audit".*"id":"(\d+)"/gm), ([, id = '']) => id);
    expect(audited.sort()).toEqual(everyOther(plants.ids).map(String).sort());
    const fatal = lines.filter((line) => line.startsWith('{"level":60')).map((line) => JSON.parse(line) as unknown);
    const injected = { err: { message: 'injected', stack: expect.any(String) } };
    expect(fatal).toMatchObject(exit === 0 ? [] : [injected]);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
    expect(plants.ledger.statuses()).toEqual({ 204: 200 });
    // Nothing is left in the write-ahead log.
    expect((await stat(`${plants.file}-wal`).catch(() => ({ size: 0 }))).size).toBe(0);
    await plants.expectUnharmed(`${fault}, 200 requests at work`);
  },
);

/** Begins a request that never ends. @returns resolves when its connection is closed. */
async function beginRequest({ url }: ServerProcess): Promise<{ closed: Promise<unknown> }> {
  const { socket, ended } = await openRaw(url);
  socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: plants\r\n');
  return { closed: ended };
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s, a second after the first, ends the server now', async (signal, exitCode) => {
  const plants = await stock(place, 10);
  const server = await place.serve();
  for (const id of plants.ids.slice(4, 6)) expect(await plants.delete(server, id)).toBe(204);
  await beginRequest(server);
  server.kill(signal);
  await pause(1_000);
  const start = performance.now();
  server.kill(signal);
  expect(await server.ended).toMatchObject({ code: exitCode, stderr: expect.stringMatching(BANNER) });
  expect(performance.now() - start).toBeLessThan(1_000);
  await plants.expectUnharmed(`${signal} twice`);
});

/** Begins what never ends by itself. @returns resolves when the server has cut it. */
type Begin = (server: ServerProcess, plants: Stock) => Promise<{ cut: Promise<unknown> }>;

test.each<[what: string, begin: Begin]>([
  ['a request that never finishes', async (server) => ({ cut: (await beginRequest(server)).closed })],
  [
    // Node lets go of a connection with CONNECT.
    'a CONNECT behind answers that its client does not take',
    async (server) => {
      const { socket } = await openRaw(server.url);
      socket.pause();
      const page = 'GET /docs/marked.js HTTP/1.1\r\nHost: plants\r\n\r\n';
      const answered = (): number => server.output().split('marked.js"').length - 1;
      // Until the system takes no more, however much it keeps for both sides.
      for (let sent = 0; answered() === sent;) {
        socket.write(page.repeat(20));
        sent += 20;
        for (let before = -1; before < answered();) {
          before = answered();
          await pause(300);
        }
      }
      socket.write('CONNECT plants:80 HTTP/1.1\r\nHost: plants\r\n\r\n');
      await pause(300);
      // A client that does not read does not see the end either.
      return { cut: server.ended.then(() => socket.destroy()) };
    },
  ],
  [
    'a delete that waits for a lock',
    async (server, plants) => {
      // The lock is never free, so that nothing can be done.
      void whileLocked(plants.file, () => server.ended);
      const asked = plants.delete(server, plants.ids[5] ?? 0n);
      await pause(300);
      return { cut: asked };
    },
  ],
])('%s is cut shortly before SHUTDOWN_TIMEOUT, and the server ends in order', async (what, begin) => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '2' });
  for (const id of plants.ids.slice(2, 4)) expect(await plants.delete(server, id)).toBe(204);
  const { cut } = await begin(server, plants);
  const start = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  const seconds = (performance.now() - start) / 1000;
  await cut;
  expect(seconds).toBeGreaterThan(1.7);
  expect(seconds).toBeLessThan(3);
  await plants.expectUnharmed(`SIGTERM, ${what}`, [], `cut after ${seconds.toFixed(1)} s`);
});

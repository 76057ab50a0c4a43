import { describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { LIMITS } from '../../src/http/limits.ts';
import { createLog } from '../../src/logging/logger.ts';
import { CLI, deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { freePort } from 'test-support/listen.ts';
import { startProcess } from 'test-support/process.ts';
import { openRaw } from '../support/raw-connection.ts';

const place = workplaceOfEachTest();

// test/logging has the fields of each line, and every way in which a token may come.
test('a piped log has one JSON line for each event, request and deletion, and no token', async () => {
  const token = await stock();
  const server = await place.serve();
  expect(await deletePlantAt(server.url, token, 5n)).toMatchObject({ status: 204 });
  expect(await deletePlantAt(server.url, 'plant_mistyped', 5n)).toMatchObject({ status: 401 });
  expect(await deletePlantAt(server.url, token, `5/${token}`)).toMatchObject({ status: 404 });
  expect(await server.stop()).toBe(0);
  const lines = server.output().split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 30, msg: 'listening', url: server.url },
    { name: 'audit', id: '5', token: 'webshop' },
    { msg: 'request', status: 204, token: 'webshop', path: '/plants/5' },
    { msg: 'request', status: 401, token: null, path: '/plants/5' },
    { msg: 'request', status: 404, token: null, path: null },
    { level: 30, msg: 'stopped' },
  ]);
  for (const secret of [token, 'plant_mistyped']) {
    expect(server.output() + server.errors()).not.toContain(secret.slice('plant_'.length));
  }
});

test('a log that is read as fast as it is written has every line, however many one iteration writes', async () => {
  const file = join(place.folder, 'log');
  const destination = await open(file, 'a');
  // Of a file, createLog reads isTTY and the descriptor.
  const { log } = await createLog({ logLevel: 'info' }, {
    isTTY: false,
    fd: destination.fd,
  } as unknown as typeof process.stdout);
  const lost = jest.spyOn(console, 'error');
  const [rounds, burst] = [60, 300];
  const lines = rounds * burst;
  let size = 0;
  for (let line = 0; line < lines; line++) {
    log.info({ line, path: 'x'.repeat(400) }, 'request');
    if (line % burst !== 0) continue;
    // The file takes a part of what was written.
    for (const before = size; size === before;) ({ size } = await destination.stat());
  }
  const written = async (): Promise<string[]> => (await place.read('log')).toString().split('\n').slice(0, -1);
  while (lost.mock.calls.length === 0 && (await written()).length < lines) await setTimeout(20);
  await destination.close();
  expect(lost.mock.calls).toEqual([]);
  lost.mockRestore();
  expect((await written()).map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
    Array.from({ length: lines }, (_, line) => line),
  );
});

/** Makes a database with the plants 5 and 6. @returns a token. */
async function stock(): Promise<string> {
  await place.call(['plants', 'add', '5', '6']);
  return (await place.call(['tokens', 'create', 'webshop'])).stdout.trim();
}

describe('a log that cannot be written', () => {
  test('because its reader is stuck stops neither deletes nor shutdown: lines are dropped, which standard error reports once', async () => {
    const token = await stock();
    const { PATH = '' } = process.env;
    const env = { PATH, PORT: '0', ADMIN_PORT: '0', NODE_ENV: 'production' };
    const { child, until, errors, forget } = startProcess(process.execPath, [CLI], { cwd: place.folder, env });
    const [, url = ''] = await until(/"url":"([^"]+)"/);
    try {
      forget();
      child.stdout.pause();
      // Lines of some 500 bytes: more in all than the 4 MiB that wait and what the system takes.
      const request = `GET /${'x'.repeat(190)} HTTP/1.1\r\nHost: plants\r\nX-Request-Id: ${'x'.repeat(64)}\r\n\r\n`;
      for (let round = 0; round < 500 && errors() === ''; round++) {
        const { socket, until } = await openRaw(url);
        socket.write(request.repeat(LIMITS.maxPipelinedRequests));
        await until(LIMITS.maxPipelinedRequests);
        socket.destroy();
      }
      expect(errors()).toBe('Lines of the log are lost: they are not read as fast as they are written.\n');
      const ask = async (): Promise<number> => (await deletePlantAt(url, token, 5n)).status;
      expect([await ask(), await ask()]).toEqual([204, 404]);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(errors()).toMatch(/^[^\n]+\n$/);
      expect((await place.call(['plants', 'export'])).stdout).toBe('6\n');
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('because its disk is full does not stop deletes', async () => {
    const token = await stock();
    const port = await freePort();
    const ended = place.shell(
      `PORT=${port} NODE_ENV=production node "$CLI" serve > /dev/full & echo $! > pid; wait $!`,
    );
    const ask = (): Promise<number> =>
      deletePlantAt(`http://127.0.0.1:${port}`, token, 5n).then(
        ({ status }) => status,
        () => setTimeout(50).then(ask),
      );
    expect([await ask(), await ask()]).toEqual([204, 404]);
    process.kill(Number(await place.read('pid')), 'SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Lines of the log are lost: ENOSPC[^\n]+\n$/);
  });
});

test('a log on a terminal has one readable line per event: time of day, level and message', async () => {
  const out = Object.assign(new PassThrough(), { isTTY: true });
  let text = '';
  out.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  // Of a terminal, createLog uses that it is one and that it can be written to.
  const { log } = await createLog({ logLevel: 'info' }, out as unknown as typeof process.stdout);
  log.info({ url: 'http://x', database: 'y' }, 'listening');
  log.info(
    { requestId: 'i', operation: null, method: 'DELETE', path: '/plants/5', status: 204, durationMs: 1.5 },
    'request',
  );
  log.info({ requestId: 'i', method: null, path: null, status: 400, durationMs: 0 }, 'request');
  while (text.split('\n').length < 4) await once(out, 'data');
  expect(text.replaceAll(/\[\d\d:\d\d:\d\d\.\d{3}\]/g, '[time]')).toBe(
    '[time] INFO: listening {"url":"http://x","database":"y"}\n' +
      '[time] INFO: DELETE /plants/5 204 1.5 ms {"requestId":"i","operation":null}\n' +
      '[time] INFO: - - 400 0 ms {"requestId":"i"}\n',
  );
});

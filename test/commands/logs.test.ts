import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createToken } from '../../src/auth/tokens/token.ts';
import { createLog } from '../../src/logging/logger.ts';
import { CLI, deletePlantAt, workplace, type Workplace } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await place.remove();
});

test('a piped log has one JSON line per request, and one per deletion, with id, operation, status, duration and token name', async () => {
  const token = (await place.run(['tokens', 'create', 'webshop'])).stdout.trim();
  await place.run(['plants', 'import', '-'], { input: '5\n' });
  const server = await place.serve();
  const unknown = createToken();
  const statuses = [
    await deletePlantAt(server.url, token, 5n),
    await deletePlantAt(server.url, token, 5n),
    await deletePlantAt(server.url, token, 'abc'),
    await deletePlantAt(server.url, unknown, 5n),
    await deletePlantAt(server.url, 'plant_mistyped', 5n),
    // Tokens where they do not belong are not logged either.
    await deletePlantAt(server.url, token, `5?access_token=${token}`),
    await deletePlantAt(server.url, token, `5/${token}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual([204, 404, 400, 401, 401, 400, 404]);
  expect(await server.stop()).toBe(0);

  const [first = '', ...rest] = server
    .output()
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'));
  expect(JSON.parse(first)).toMatchObject({ level: 30, msg: 'listening', url: server.url });
  const all = rest.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(all.filter(({ name }) => name === 'audit')).toMatchObject([{ id: '5', token: 'webshop' }]);
  expect(all.at(-1)).toMatchObject({ level: 30, msg: 'stopped' });
  const lines = all.slice(0, -1).filter(({ name }) => name !== 'audit');
  const line = (
    status: number,
    operation: string | null,
    name: string | null,
    path: string | null = '/plants/5',
  ): object => ({
    level: 30,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    requestId: expect.any(String),
    operation,
    method: 'DELETE',
    path,
    status,
    durationMs: expect.any(Number),
    token: name,
    msg: 'request',
  });
  expect(lines).toEqual([
    line(204, 'deletePlant', 'webshop'),
    line(404, 'deletePlant', 'webshop'),
    line(400, 'deletePlant', 'webshop', '/plants/abc'),
    line(401, 'deletePlant', null),
    line(401, 'deletePlant', null),
    line(400, 'deletePlant', 'webshop'),
    line(404, null, null, null),
  ]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(lines.length);
  for (const secret of [token, unknown, 'plant_mistyped']) {
    expect(server.output() + server.errors()).not.toContain(secret.slice('plant_'.length));
  }
});

test.each(['warn', 'error', 'fatal', 'silent'])('LOG_LEVEL=%s leaves requests out of the log', async (level) => {
  const server = await place.serve({ LOG_LEVEL: level });
  const token = await server.firstToken();
  await server.until(/─\n$/);
  const banner = server.output();
  expect(await deletePlantAt(server.url, token, 0n)).toMatchObject({ status: 204 });
  expect(await server.stop()).toBe(0);
  expect(server.output()).toBe(banner);
  expect(server.errors()).toBe('');
});

describe('a log that cannot be written', () => {
  test('because its reader is stuck stops neither deletes nor shutdown: lines are dropped, which standard error reports once', async () => {
    const token = (await place.run(['tokens', 'create', 'webshop'])).stdout.trim();
    await place.run(['plants', 'import', '-'], { input: '5\n6\n' });
    const { PATH = '' } = process.env;
    const env = { PATH, PORT: '0', ADMIN_PORT: '0' };
    const child = spawn(process.execPath, [CLI], { cwd: place.folder, env });
    running.push(child);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    let output = '';
    while (!output.includes('The plant store is at')) output += String((await once(child.stdout, 'data'))[0]);
    const { url } = JSON.parse(output.slice(0, output.indexOf('\n'))) as { url: string };
    child.stdout.pause();
    // A line of some 300 bytes for each: more than the 4 MiB that wait and what the system takes.
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-Id': 'x'.repeat(64) };
    const ask = async (id: number): Promise<number> => {
      const response = await fetch(`${url}/plants/${id}`, { method: 'DELETE', headers });
      await response.arrayBuffer();
      return response.status;
    };
    for (let round = 0; round < 500 && errors === ''; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => ask(1_000 + index)));
    }
    expect(errors).toBe('Lines of the log are lost: they are not read as fast as they are written.\n');
    expect([await ask(5), await ask(5)]).toEqual([204, 404]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(errors).toMatch(/^[^\n]+\n$/);
    expect((await place.run(['plants', 'export'])).stdout).toBe('6\n');
  });

  test('because its disk is full does not stop deletes', async () => {
    const token = (await place.run(['tokens', 'create', 'webshop'])).stdout.trim();
    await place.run(['plants', 'import', '-'], { input: '5\n6\n' });
    const port = await freePort();
    const ended = place.shell(`PORT=${port} node "$CLI" serve > /dev/full & echo $! > pid; wait $!`);
    const ask = (): Promise<number> =>
      deletePlantAt(`http://127.0.0.1:${port}`, token, 5n).then(
        ({ status }) => status,
        () => ask(),
      );
    expect([await ask(), await ask()]).toEqual([204, 404]);
    process.kill(Number(await place.read('pid')), 'SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Lines of the log are lost: ENOSPC[^\n]+\n$/);
  });
});

describe('a log on a terminal', () => {
  test('has one readable line per event: time of day, level and message', async () => {
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
});

import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createToken } from '../../src/auth/token.ts';
import { createLog } from '../../src/log.ts';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

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
    .filter((line) => !line.startsWith('The plant'));
  expect(JSON.parse(first)).toMatchObject({ level: 30, msg: 'listening', url: server.url });
  const all = rest.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(all.filter(({ name }) => name === 'audit')).toMatchObject([{ id: '5', token: 'webshop' }]);
  expect(all.at(-1)).toMatchObject({ level: 30, msg: 'stopped' });
  const lines = all.slice(0, -1).filter(({ name }) => name !== 'audit');
  const line = (status: number, operation: string | null, name: string | null): object => ({
    level: 30,
    time: expect.any(Number),
    pid: expect.any(Number),
    hostname: expect.any(String),
    requestId: expect.any(String),
    operation,
    method: 'DELETE',
    status,
    durationMs: expect.any(Number),
    token: name,
    msg: 'request',
  });
  expect(lines).toEqual([
    line(204, 'deletePlant', 'webshop'),
    line(404, 'deletePlant', 'webshop'),
    line(400, 'deletePlant', 'webshop'),
    line(401, 'deletePlant', null),
    line(401, 'deletePlant', null),
    line(400, 'deletePlant', 'webshop'),
    line(404, null, null),
  ]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(lines.length);
  for (const secret of [token, unknown, 'plant_mistyped']) {
    expect(server.output() + server.errors()).not.toContain(secret.slice('plant_'.length));
  }
});

test.each(['warn', 'error', 'fatal', 'silent'])('LOG_LEVEL=%s leaves requests out of the log', async (level) => {
  const server = await place.serve({ LOG_LEVEL: level });
  const [, token = ''] = await server.until(/Bearer (\w+)/);
  await server.until(/─\n$/);
  const banner = server.output();
  expect(await deletePlantAt(server.url, token, 0n)).toMatchObject({ status: 204 });
  expect(await server.stop()).toBe(0);
  expect(server.output()).toBe(banner);
  expect(server.errors()).toBe('');
});

describe('a log on a terminal', () => {
  test('is for people: a time of day, the level and the message, not JSON', async () => {
    const out = Object.assign(new PassThrough(), { isTTY: true });
    // Of a terminal, createLog uses that it is one and that it can be written to.
    const { log } = await createLog({ logLevel: 'info' }, out as unknown as typeof process.stdout);
    log.info({ status: 204 }, 'request');
    const [text] = (await once(out, 'data')) as [Buffer];
    expect(text.toString()).toMatch(/^\S*\[?\d\d:\d\d:\d\d\.\d{3}\]?.*INFO.*request/s);
    expect(text.toString()).not.toMatch(/^\{/);
  });
});

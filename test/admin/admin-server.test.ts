import { afterAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Health } from '../../src/admin/health.ts';
import { DeferredMetrics } from '../../src/admin/metrics.ts';
import { deletePlantAt, TestWorkplace } from '../support/cli.ts';
import { readProjectFile, tableOf } from 'test-support/readme.ts';
import { DELETE_PLANT } from '../support/service.ts';
import { closed } from 'test-support/closed.ts';

const place = await new TestWorkplace().open();
const token = (await place.call(['tokens', 'create', 'webshop'])).stdout.trim();
await place.call(['plants', 'import', '-'], { input: '1\n2\n3\n' });
const server = await place.serve({
  NODE_ENV: 'production',
  AUTH_FAILURES_PER_MINUTE: '2',
  ADMIN_HOSTS: 'Plants.internal, other',
  CONNECTIONS_PER_CLIENT: '700',
  DOCS: 'on',
});
afterAll(() => place.remove());

async function get(target: string, init?: RequestInit): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(server.admin + target, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** The value of a series, NaN when there is none. */
async function metric(series: string): Promise<number> {
  const { text } = await get('/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? NaN);
}

const JSON_TYPE = 'application/json; charset=utf-8';

describe('the admin listener serves', () => {
  test('liveness and readiness', async () => {
    expect(await get('/livez')).toEqual({ status: 200, type: JSON_TYPE, text: '{"status":"alive"}\n' });
    expect(await get('/readyz?verbose')).toEqual({ status: 200, type: JSON_TYPE, text: '{"status":"ready"}\n' });
    expect(await get('/readyz', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  test('only its own paths and methods, and none of them on the public port', async () => {
    for (const path of ['/', '/plants/1', '/__proto__']) expect(await get(path)).toMatchObject({ status: 404 });
    expect(await get('/livez', { method: 'POST' })).toMatchObject({ status: 405 });
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await fetch(server.url + path)).status).toBe(404);
  });
});

/** Sends bytes. @returns all that comes back until the connection ends. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.admin).port), '127.0.0.1', () => socket.write(bytes));
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await closed(socket);
  return received;
}

describe('the admin listener protects itself:', () => {
  const ask = (host: string): Promise<string> =>
    exchange(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  const STRANGE = ['evil.example', 'evil.example:9464', 'localhost.evil.example', '127.0.0.1.evil.example'];
  const KNOWN = ['127.0.0.1', '10.1.2.3:9464', '[::1]:9464', 'localhost', 'LOCALHOST:1', 'plants.internal:80', 'other'];
  test.each([
    ['a web page cannot read from it through DNS rebinding', 421, [...STRANGE, '[::1', 'a@localhost', '']],
    ['it answers addresses, localhost and the names in ADMIN_HOSTS', 200, KNOWN],
  ])('%s: %d', async (_what, status, hosts) => {
    for (const host of hosts) expect([host, (await ask(host)).slice(0, 13)]).toEqual([host, `HTTP/1.1 ${status} `]);
  });

  test('100 silent connections lock out no other client, and excess connections of one client are closed', async () => {
    const port = Number(new URL(server.admin).port);
    const silent = Array.from({ length: 750 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(silent.slice(700).map((socket) => new Promise((done) => socket.resume().on('close', done))));
    expect(silent.slice(0, 100).filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of silent.slice(100)) socket.destroy();
    // The server has to notice that they have left.
    while (!(await ask('localhost')).startsWith('HTTP/1.1 200 ')) await pause(50);
    for (const socket of silent) socket.destroy();
  });

  test('pipelined requests are answered in order, and too many of them close the connection', async () => {
    const request = (path: string, close = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`;
    const text = await exchange(request('/readyz').repeat(90) + request('/livez', 'Connection: close\r\n'));
    const statuses = Array.from(text.matchAll(/"status":"(\w+)"/g), ([, status]) => status);
    expect(statuses).toEqual([...Array<string>(90).fill('ready'), 'alive']);
    expect((await exchange(request('/metrics').repeat(1_000))).match(/^HTTP/gm) ?? []).not.toHaveLength(1_000);
  });
});

test('requests, commits and failed authentications are counted, by names of the contract and of errors only', async () => {
  expect((await deletePlantAt(server.url, token, 1n)).status).toBe(204);
  expect((await deletePlantAt(server.url, token, 9n)).status).toBe(404);
  expect((await deletePlantAt(server.url, token, 'x')).status).toBe(400);
  for (const status of [401, 401, 429]) expect((await deletePlantAt(server.url, 'wrong', 2n)).status).toBe(status);
  await fetch(`${server.url}/secret/path`);
  await new Promise((done) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write('hello\r\n\r\n'));
    socket.resume().on('close', done);
  });
  // The use of the token is noted behind the answer.
  while ((await metric('store_batch_size_sum')) < 3) await pause(20);
  for (const [status, times] of [
    [204, 1],
    [404, 1],
    [400, 1],
    [429, 1],
    [401, 2],
  ]) {
    expect(await metric(`http_requests_total{operation="${DELETE_PLANT}",status="${status}"}`)).toBe(times);
  }
  for (const [series, value] of Object.entries({
    'http_requests_total{operation="none",status="400"}': 1,
    [`http_request_duration_seconds_count{operation="${DELETE_PLANT}"}`]: 6,
    'authentication_failures_total{reason="invalidCredentials"}': 2,
    'authentication_failures_total{reason="tooManyFailures"}': 1,
    // Two deletes, and the last use of the token.
    store_batch_size_sum: 3,
    store_commit_duration_seconds_count: 3,
    store_queue_length: 0,
  })) {
    expect([series, await metric(series)]).toEqual([series, value]);
  }
  expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  const { text, type } = await get('/metrics');
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).not.toMatch(/secret|plants\/|webshop|wrong/);
});

test('the API reference is counted apart from paths that are not there', async () => {
  for (const method of ['GET', 'POST']) await fetch(`${server.url}/docs`, { method });
  for (const [operation, status, times] of [
    ['docs', 200, 1],
    ['docs', 405, 1],
    ['none', 200, NaN],
  ]) {
    expect(await metric(`http_requests_total{operation="${operation}",status="${status}"}`)).toBe(times);
  }
});

test('concurrent health requests share one check of the store for one second', async () => {
  let checks = 0;
  const health = new Health(async () => {
    if (++checks === 2) throw new Error('The disk is full.');
    await pause(20);
  });
  expect(await Promise.all(Array.from({ length: 90 }, () => health.unready()))).toEqual(Array(90).fill(undefined));
  expect(await health.unready()).toBeUndefined();
  expect(checks).toBe(1);
  await pause(1_100);
  expect(await Promise.all([health.unready(), health.unready()])).toEqual(['The disk is full.', 'The disk is full.']);
  expect(checks).toBe(2);
  health.stop();
  expect(await health.unready()).toBe('The service is stopping.');
  expect(checks).toBe(2);
});

test('each scrape has the event-loop delay, the first one and another at once', async () => {
  const metrics = new DeferredMetrics();
  const text = [await metrics.renderMetrics(), await metrics.renderMetrics()]
    .map((rendered) => rendered.text)
    .join('\n');
  const values = [...text.matchAll(/^nodejs_eventloop_lag_(?:min|mean|max|p99)_seconds (\S+)$/gm)].map(([, value]) =>
    Number(value),
  );
  expect(values).toHaveLength(8);
  // An empty measurement has 292 years for its smallest value, and NaN for its mean.
  expect(values.filter((value) => !(value > 0 && value < 60))).toEqual([]);
});

test('each response is counted, also among equal ones', async () => {
  const metrics = new DeferredMetrics();
  const ok = { operation: DELETE_PLANT, status: 204, seconds: 0.1, reason: undefined };
  const refused = { ...ok, status: 401, reason: 'noCredentials' };
  for (let round = 0; round < 300; round++) metrics.answered(ok, refused, ok, { ...ok, operation: undefined });
  await metrics.renderMetrics();
  metrics.answered(ok);
  const { text } = await metrics.renderMetrics();
  expect(
    [...text.matchAll(/^http_requests_total\{operation="(\w+)",status="(\d+)"\} (\d+)$/gm)].map((row) => row.slice(1)),
  ).toEqual([
    [DELETE_PLANT, '204', '601'],
    [DELETE_PLANT, '401', '300'],
    ['none', '204', '300'],
  ]);
  expect(text).toContain(`http_request_duration_seconds_count{operation="${DELETE_PLANT}"} 901`);
  expect(text).toContain('authentication_failures_total{reason="noCredentials"} 300');
});

test('no response is lost between two readings, however many there are', async () => {
  const metrics = new DeferredMetrics();
  await metrics.renderMetrics();
  const deleted = { operation: DELETE_PLANT, status: 204, seconds: 0.1, reason: undefined };
  const thousand = Array.from({ length: 1_000 }, () => deleted);
  for (let round = 0; round < 1_002; round++) metrics.answered(...thousand);
  const { text } = await metrics.renderMetrics();
  expect(text).toContain(`http_requests_total{operation="${DELETE_PLANT}",status="204"} 1002000\n`);
});

test('one series has the versions of the service and of Node', async () => {
  // npm has checked its form.
  const { version } = JSON.parse(await readProjectFile('package.json')) as { version: string };
  const lines = (await new DeferredMetrics().renderMetrics()).text
    .split('\n')
    .filter((line) => line.startsWith('plant_store_'));
  expect(lines).toEqual([`plant_store_build_info{version="${version}",node="${process.versions.node}"} 1`]);
});

test('docs/operations.md lists all metrics with their labels', async () => {
  const metrics = new DeferredMetrics();
  const seconds = 0.1;
  metrics.answered({ operation: DELETE_PLANT, status: 401, seconds, reason: 'invalidCredentials' });
  metrics.committed(1, seconds);
  metrics.queue(() => 0);
  metrics.workers(() => Promise.resolve(new Map([['worker-1:5432', true]])));
  const { text } = await metrics.renderMetrics();
  const labelsOf = new Map<string, Set<string>>();
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) labelsOf.set(name, new Set());
  for (const [, series = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const known = labelsOf.get(series) ?? labelsOf.get(series.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) if (label !== 'le') known?.add(label);
  }
  const rows = (await tableOf('docs/operations.md', 'Metrics')).flatMap(([names = '', labels = '']) =>
    names.split(', ').map((name): [string, string[]] => [name, labels.split(', ').filter(Boolean)]),
  );
  expect(rows.map(([name]) => name).sort()).toEqual([...labelsOf.keys()].sort());
  for (const [name, labels] of rows) {
    const seen = labelsOf.get(name) ?? new Set();
    // Node.js has a series for what there is at the moment, which may be nothing.
    if (!name.startsWith('nodejs_') || seen.size > 0)
      expect([name, [...seen].sort()]).toEqual([name, labels.toSorted()]);
  }
});

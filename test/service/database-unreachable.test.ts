import { afterAll, afterEach, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { freePort } from 'test-support/listen.ts';
import { plantsOf, postgresServer, run, throughPort, withConnection } from '../support/postgres.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';

const server = await postgresServer();
afterEach(() => server.emptyDatabases());
afterAll(() => server.close());
const place = workplaceOfEachTest();

/** The messages of a log. */
function messagesOf(log: string): string[] {
  // pino writes lines of this form.
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string });
  return lines.map(({ msg }) => msg);
}

/** Asks until there is an answer. */
async function answerOf(url: string): Promise<{ status: number; text: string }> {
  for (;;) {
    try {
      const response = await fetch(url);
      return { status: response.status, text: await response.text() };
    } catch {
      await pause(50);
    }
  }
}

test('a start before the database waits, alive but not ready, and serves once the database is up, with one log line each', async () => {
  const url = await server.createDatabase();
  await run(url, 'CREATE TABLE plants (id bigint PRIMARY KEY)', 'INSERT INTO plants VALUES (1), (2), (3)');
  const proxy = await tcpProxy();
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = {
    DATABASE_URL: throughPort(url, proxy.port),
    NODE_ENV: 'production',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  };
  const admin = `http://127.0.0.1:${adminPort}`;
  const serving = place.serve(env);
  try {
    expect(await answerOf(`${admin}/livez`)).toEqual({ status: 200, text: '{"status":"alive"}\n' });
    // Longer than from one attempt to the next.
    await pause(2_500);
    const unready = await answerOf(`${admin}/readyz`);
    expect(unready.status).toBe(503);
    expect(unready.text).toMatch(/cannot be opened: (?:connect|read|write) ECONNRESET/);
    expect(unready.text).not.toContain(new URL(url).password);
    await expect(fetch(`http://127.0.0.1:${port}/plants/1`)).rejects.toThrow('fetch failed');

    proxy.targets = [Number(new URL(url).port)];
    const service = await serving;
    await pause(1_100);
    expect(await answerOf(`${admin}/readyz`)).toEqual({ status: 200, text: '{"status":"ready"}\n' });
    const token = (await place.call(['tokens', 'create', 'shop'], { env: { DATABASE_URL: url } })).stdout.trim();
    expect(await deletePlantAt(service.url, token, 2n)).toMatchObject({ status: 204 });
    expect(await plantsOf(url)).toEqual([1n, 3n]);
    const about = messagesOf(service.output()).filter((message) => /database|listening/.test(message));
    expect(about).toEqual(['waiting for the database', 'database reached', 'listening']);
    expect(await service.stop()).toBe(0);
  } finally {
    await proxy.close();
  }
});

test('a start while deletes would hang waits for them', async () => {
  const url = await server.createDatabase();
  const adminPort = await freePort();
  const env = { DATABASE_URL: url, NODE_ENV: 'production', ADMIN_PORT: String(adminPort) };
  await place.call(['migrate'], { env });
  let serving: ReturnType<typeof place.serve> | undefined;
  await withConnection(url, async (execute) => {
    await execute('BEGIN');
    await execute('LOCK TABLE plants');
    serving = place.serve(env);
    const unready = async (): Promise<string> => (await answerOf(`http://127.0.0.1:${adminPort}/readyz`)).text;
    while (!/is not usable: PostgreSQL: .*lock timeout/.test(await unready())) await pause(100);
  });
  expect(await (await serving)?.stop()).toBe(0);
});

test('SIGTERM ends a service that waits for its database at once, with exit code 0', async () => {
  const variables = 'DATABASE_URL=postgres://plants@127.0.0.1:1/plants NODE_ENV=production PORT=0 ADMIN_PORT=0';
  const { code, stdout, stderr } = await place.shell(
    `: > log; ${variables} node "$CLI" > log & until grep -q waiting log; do sleep 0.05; done; kill $!; wait $!; code=$?; cat log; exit $code`,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(messagesOf(stdout)).toEqual(['waiting for the database', 'stopped']);
});

test.each([
  ['a missing database', (url: URL) => (url.pathname += '_missing'), /3D000\)\. Create the database first/],
  ['an unknown user', (url: URL) => (url.username = 'stranger'), /28\w{3}\)\. Correct the user or password/],
  [
    'a schema that is not there',
    (url: URL) => (url.search = '?options=-csearch_path%3Dnowhere'),
    /3F000\)\. Create the schema/,
  ],
])('%s stops the start with a sentence that says what to do', async (name, change, sentence) => {
  const url = new URL(await server.createDatabase());
  change(url);
  const options = { env: { DATABASE_URL: url.href } };
  // Commands open databases as servers do, but do not wait for them.
  const run = name === 'a missing database' ? place.run(['serve'], options) : place.call(['migrate'], options);
  const { stderr, ...outcome } = await run;
  expect(outcome).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

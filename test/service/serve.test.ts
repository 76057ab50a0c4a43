import { describe, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { hashToken } from '../../src/auth/tokens/token.ts';
import { openStores } from '../../src/stores/open.ts';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { listen } from 'test-support/listen.ts';
import { openRaw } from '../support/raw-connection.ts';

const SAMPLE_PLANTS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '12', '9007199254740993', '9223372036854775807'];

const place = workplaceOfEachTest();

/** Pastes a printed command into a shell, as a reader would. @returns what curl shows. */
async function paste(command: string): Promise<string> {
  const { code, stdout } = await place.shell(command);
  expect(code).toBe(0);
  return stdout;
}

describe('the first start in an empty folder', () => {
  test('has sample plants and a token in a private file, and prints a curl command that deletes a plant when pasted', async () => {
    const before = process.umask(0);
    const server = await place.serve().finally(() => {
      process.umask(before);
    });
    const [command] = await server.until(/^curl .*$/m);
    const [, docs] = await server.until(/^Or try it in a browser, with that token: (\S+)$/m);

    // Without a terminal the token is in a file that no other user can read, and nowhere else.
    const token = await server.firstToken();
    expect(token).toMatch(/^plant_\w{33}$/);
    expect(await place.shell('stat -c %a data data/first-token')).toMatchObject({ stdout: '700\n600\n' });
    expect(server.errors()).toMatch(/^A new database was made, .* which is in data\/first-token\.$/m);
    expect(server.output()).toMatch(/"file":"\S+\/data\/first-token".*first token written to a file/);

    expect(command).toContain(`${server.url}/plants/`);
    expect(await paste(command)).toMatch(/^HTTP\/1\.1 204 .*\r\n\r\n$/s);
    expect(await paste(command)).toMatch(/^HTTP\/1\.1 404 .*\{"error":40401,"message":"[^"]+"\}$/s);
    const id = /\/plants\/(\d+)$/.exec(command)?.[1];
    expect(SAMPLE_PLANTS).toContain(id);

    // The first try in the API reference deletes the plant of the contract's example.
    expect(docs).toBe(`${server.url}/docs`);
    const page = await fetch(`${server.url}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const served: unknown = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(served).toMatchObject({
      servers: [{ url: server.url }],
      components: { parameters: { PlantIdInPath: { example: 12 } } },
    });
    expect(await deletePlantAt(server.url, token, 12n)).toMatchObject({ status: 204 });
    const metrics = await (await fetch(`${server.admin}/metrics`)).text();
    expect(metrics).toContain('http_requests_total{operation="docs",status="200"} 2');

    // Told twice to stop, as by npm and timeout, it leaves one file with all that was done.
    expect(await Promise.all([server.stop(), server.stop()])).toEqual([0, 0]);
    expect(server.output() + server.errors()).not.toContain(token.slice('plant_'.length));
    // Programs read standard output: it has JSON lines alone.
    for (const line of server.output().trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ level: 30 });
    expect(await place.shell('ls data')).toMatchObject({ stdout: 'first-token\nplants.db\n' });
    const left = SAMPLE_PLANTS.filter((plant) => plant !== id && plant !== '12').map((plant) => `${plant}\n`);
    expect(await place.call(['plants', 'export'])).toMatchObject({ stdout: left.join('') });
  });

  test('on a terminal shows the token in the command, and writes it nowhere else', async () => {
    // script(1) of util-linux gives a program a terminal.
    const wait = 'for turn in $(seq 300); do grep -qa ^curl output && break; sleep 0.1; done';
    const line = `script -qec 'node "$CLI" & ${wait}; kill $!; wait' typescript > output; grep -a ^curl output | tr -d '\\r'`;
    const { stdout } = await place.shell(line);
    const [, token = ''] = /'Authorization: Bearer (plant_\w{33})' http:\S+\n$/.exec(stdout) ?? [];
    expect(token).not.toBe('');
    expect(await place.shell('ls data')).toMatchObject({ stdout: 'plants.db\n' });
    const { tokens, close } = await openStores({ kind: 'sqlite', file: join(place.folder, 'data/plants.db') });
    expect(await tokens.findToken(hashToken(token))).toMatchObject({ name: 'first-run' });
    await close();
  });

  test('leaves a file of that name unchanged, keeps no token, and says how to make one', async () => {
    const before = 'mkdir data && chmod 777 data && echo mine > target && ln -s ../target data/first-token';
    expect(await place.shell(before)).toMatchObject({ code: 0 });
    const server = await place.serve();
    await server.until(/Make one: plant-store tokens create <name>/);
    expect(server.output().match(/^.*"level":40.*$/gm)).toEqual([
      expect.stringContaining('other users can open the database; close it with: chmod o-w'),
      expect.stringContaining('first token not written to a new file, and removed'),
      expect.stringContaining('Make one: plant-store tokens create <name>'),
    ]);
    expect(await place.shell('cat target data/first-token')).toMatchObject({ stdout: 'mine\nmine\n' });
    expect(await place.call(['tokens', 'list', '--json'])).toMatchObject({ stdout: '[]\n' });
  });

  test('is the only one that makes a token and shows it, in a command that works whatever the host and the folder', async () => {
    const DATABASE_URL = "sqlite:it's data/plants.db";
    expect(await place.shell('mkdir "it\'s data"')).toMatchObject({ code: 0 });
    const first = await place.serve({ HOST: '0.0.0.0', DATABASE_URL });
    const [url, port] = await first.until(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect(first.output()).toContain(`"url":"${url}"`);
    await first.until(new RegExp(`The plant store is at http://127\\.0\\.0\\.1:${port}\n`));
    const [command] = await first.until(/^curl .*$/m);
    expect(await paste(command)).toMatch(/^HTTP\/1\.1 204 /);
    expect(await first.stop()).toBe(0);

    // A refused request is not worth a warning.
    const second = await place.serve({ LOG_LEVEL: 'warn', DATABASE_URL });
    await second.until(/<name>\n/);
    expect(await deletePlantAt(second.url, 'plant_nobody', 1n)).toMatchObject({ status: 401 });
    expect(await second.stop()).toBe(0);
    expect(second.errors()).toMatch(
      /^The plant store is at .*\nTry it .*\/docs\nMake a token: .* tokens create <name>\n$/,
    );
    expect(second.output()).toBe('');
    const { stdout } = await place.call(['tokens', 'list', '--json'], { env: { DATABASE_URL } });
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'first-run' }]);
  });

  test.each(['PORT', 'ADMIN_PORT'])('creates nothing when %s is taken', async (variable) => {
    const { port, close } = await listen(createServer());
    expect(await place.run(['serve'], { env: { [variable]: String(port) } })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Cannot listen on 127.0.0.1:${port}: another process, or this one, listens there. Stop it, or choose another ${variable}.\n`,
    });
    await close();
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test('with NODE_ENV=production creates no plant and no token, serves, and warns how to make a token', async () => {
    const server = await place.serve({ NODE_ENV: 'production' });
    const [warning = ''] = await server.until(/^.*tokens create.*$/m);
    expect(JSON.parse(warning)).toMatchObject({
      level: 40,
      msg: 'There is no token yet, so every request is refused. Make one: plant-store tokens create <name>',
    });
    expect((await fetch(`${server.url}/docs`)).status).toBe(404);
    expect(server.output()).not.toMatch(/curl|plant_|\/docs/);
    expect(await place.call(['plants', 'count'])).toMatchObject({ code: 0, stdout: '0\n' });
    expect(await place.call(['tokens', 'list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await deletePlantAt(server.url, 'plant_nobody', 1n)).toMatchObject({ status: 401 });
    const token = (await place.call(['tokens', 'create', 'first'])).stdout.trim();
    expect(await deletePlantAt(server.url, token, 1n)).toMatchObject({ status: 404 });
  });
});

test('a server that is told to stop closes silent connections within a second or so, and unfinished requests after a timeout', async () => {
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '5' });
  const [silent, slow, unfinished] = [await openRaw(server.url), await openRaw(server.url), await openRaw(server.url)];
  for (const { socket } of [slow, unfinished]) socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n');
  // All have arrived when this is answered.
  await deletePlantAt(server.url, 'plant_nobody', 1n);
  const stopped = server.stop();
  await silent.ended;
  slow.socket.write('\r\n');
  expect(await slow.until(1)).toMatchObject([{ status: 401 }]);
  expect(await stopped).toBe(0);
  await unfinished.ended;
});

test('a server that is told to stop answers the connections that wait to be accepted', async () => {
  const server = await place.serve();
  // The system accepts connections for a process that does not run.
  server.kill('SIGSTOP');
  const waiting = await Promise.all(Array.from({ length: 100 }, () => openRaw(server.url)));
  for (const { socket } of waiting) socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n\r\n');
  const stopped = server.stop();
  server.kill('SIGCONT');
  const answers = await Promise.all(waiting.map(({ until }) => until(1)));
  expect(answers.filter(([answer]) => answer?.status !== 401)).toEqual([]);
  expect(await stopped).toBe(0);
});

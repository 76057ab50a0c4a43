import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { expectErrorObject } from '../support/conformance.ts';
import { listen } from '../support/listen.ts';

const SAMPLE_PLANTS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '12', '9007199254740993', '9223372036854775807'];

const place = workplaceOfEachTest();

/**
 * Runs a printed command as a reader would, by pasting it into a shell, and reads the answer that
 * curl shows.
 */
async function paste(command: string): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const { code, stdout } = await place.shell(command);
  expect(code).toBe(0);
  const [head = '', text = ''] = stdout.split('\r\n\r\n');
  const [statusLine = '', ...fields] = head.split('\r\n');
  const headers = fields.map((field): [string, string] => {
    const [name = '', value = ''] = field.split(': ');
    return [name.toLowerCase(), value];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), text };
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
    const lines = server.output().split('\n');
    expect(lines).toContain(
      'A new database was made, with a dozen plants and one token, which is in data/first-token.',
    );
    expect(lines.find((line) => line.includes('first token written to a file'))).toContain(
      `"file":"${place.folder}/data/first-token"`,
    );

    expect(command).toContain(`${server.url}/plants/`);
    expect(await paste(command)).toMatchObject({ status: 204, text: '' });
    const again = await paste(command);
    expectErrorObject(again);
    expect(again).toMatchObject({ status: 404 });
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
    expect(server.errors()).toBe('');
    expect(server.output()).not.toContain(token.slice('plant_'.length));
    expect(await place.shell('ls data')).toMatchObject({ stdout: 'first-token\nplants.db\n' });
    const { stdout } = await place.run(['plants', 'export']);
    expect(stdout).toBe(
      SAMPLE_PLANTS.filter((plant) => plant !== id && plant !== '12')
        .map((plant) => `${plant}\n`)
        .join(''),
    );
  });

  test('on a terminal shows the token in the command, and writes it nowhere else', async () => {
    // script(1) of util-linux gives a program a terminal.
    const wait = 'for turn in $(seq 300); do grep -qa ^curl output && break; sleep 0.1; done';
    const line = `script -qec 'node "$CLI" & ${wait}; kill $!; wait' typescript > output; grep -a ^curl output | tr -d '\\r'`;
    const { stdout } = await place.shell(line);
    const [, token = ''] = /'Authorization: Bearer (plant_\w{33})' http:\S+\n$/.exec(stdout) ?? [];
    expect(token).not.toBe('');
    expect(await place.shell('ls data')).toMatchObject({ stdout: 'plants.db\n' });
    const server = await place.serve({ NODE_ENV: 'production' });
    expect(await deletePlantAt(server.url, token, 9007199254740993n)).toMatchObject({ status: 204 });
  });

  test.each([
    ['a file', 'echo mine > target && cp target data/first-token'],
    ['a symbolic link', 'echo mine > target && ln -s ../target data/first-token'],
  ])('leaves %s of that name unchanged, keeps no token, and says how to make one', async (_what, line) => {
    expect(await place.shell(`mkdir data && ${line}`)).toMatchObject({ code: 0 });
    const server = await place.serve();
    await server.until(/The plant store is at/);
    const warnings = server
      .output()
      .split('\n')
      .filter((text) => text.includes('"level":40'));
    expect(warnings).toEqual([
      expect.stringContaining('first token not written to a new file, and removed'),
      expect.stringContaining('Make one: plant-store tokens create <name>'),
    ]);
    expect(await place.shell('cat target data/first-token')).toMatchObject({ stdout: 'mine\nmine\n' });
    expect(await place.run(['tokens', 'list', '--json'])).toMatchObject({ stdout: '[]\n' });
  });

  test('with HOST=0.0.0.0 and quotes in the name of a folder logs the address that it listens on, and prints a command that works', async () => {
    const server = await place.serve({ HOST: '0.0.0.0', DATABASE_URL: "sqlite:it's data/plants.db" });
    const [url, port] = await server.until(/http:\/\/0\.0\.0\.0:(\d+)/);
    expect(server.output()).toContain(`"url":"${url}"`);
    await server.until(new RegExp(`The plant store is at http://127\\.0\\.0\\.1:${port}\n`));
    const [command] = await server.until(/^curl .*$/m);
    expect(await paste(command)).toMatchObject({ status: 204 });
  });

  test('is the only one that makes a token and shows it: later ones say where the service is and how to make one', async () => {
    const first = await place.serve();
    await first.until(/^curl .*$/m);
    expect(await first.stop()).toBe(0);
    const second = await place.serve({ LOG_LEVEL: 'silent' });
    const text = [
      `The plant store is at ${second.url}`,
      `Try it in a browser: ${second.url}/docs`,
      'Make a token: npx plant-store tokens create <name>\n',
    ].join('\n');
    await second.until(/<name>\n/);
    expect(second.output()).toBe(text);
    expect(await second.stop()).toBe(0);
    expect(second.output()).toBe(text);
    const { stdout } = await place.run(['tokens', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'first-run' }]);
  });

  test.each(['PORT', 'ADMIN_PORT'])(
    'creates nothing when %s is taken, so that the next one still shows its token',
    async (variable) => {
      const { port, close } = await listen(createServer());
      expect(await place.run(['serve'], { env: { [variable]: String(port) } })).toEqual({
        code: 1,
        stdout: '',
        stderr: `Cannot listen on 127.0.0.1:${port}: another process, or this one, listens there. Stop it, or choose another ${variable}.\n`,
      });
      await close();
      expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
      const server = await place.serve();
      const [command] = await server.until(/^curl .*$/m);
      expect(await paste(command)).toMatchObject({ status: 204 });
    },
  );

  test('with NODE_ENV=production creates no plant and no token, serves, and warns how to make a token', async () => {
    const server = await place.serve({ NODE_ENV: 'production' });
    const [warning = ''] = await server.until(/^.*tokens create.*$/m);
    expect(JSON.parse(warning)).toMatchObject({
      level: 40,
      msg: 'There is no token yet, so every request is refused. Make one: plant-store tokens create <name>',
    });
    expect((await fetch(`${server.url}/docs`)).status).toBe(404);
    expect(server.output()).not.toMatch(/curl|plant_|\/docs/);
    expect(await place.run(['plants', 'count'])).toMatchObject({ code: 0, stdout: '0\n' });
    expect(await place.run(['tokens', 'list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(await deletePlantAt(server.url, 'plant_nobody', 1n)).toMatchObject({ status: 401 });
    const token = (await place.run(['tokens', 'create', 'first'])).stdout.trim();
    expect(await deletePlantAt(server.url, token, 1n)).toMatchObject({ status: 404 });
  });
});

test.each([
  ['closes a connection with an unfinished request after a timeout', '2', 'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n'],
  ['closes a connection on which nothing was sent at once', '60', ''],
])('a server that is told to stop %s', async (_what, SHUTDOWN_TIMEOUT, bytes) => {
  const server = await place.serve({ SHUTDOWN_TIMEOUT });
  const client = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
  await once(client, 'connect');
  client.write(bytes);
  const start = performance.now();
  expect(await server.stop()).toBe(0);
  expect(performance.now() - start).toBeLessThan(10_000);
});

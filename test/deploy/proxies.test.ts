import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from 'test-support/listen.ts';
import { startProcess, type RunningProcess } from 'test-support/process.ts';
import { codeBlock } from 'test-support/readme.ts';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { isInstalled, PATH } from '../support/installed.ts';

/** What a client sends at once, and how many deletes there are before, during and after a stop. */
const CLIENTS = 8;
const DELETES = 600;

/** A proxy of docs/deployment.md: completes its block to a configuration, and starts it. */
interface Proxy {
  readonly program: string;
  readonly language: string;
  readonly configure: (block: string, folder: string, port: number) => string;
  readonly args: (file: string) => readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    program: 'nginx',
    language: 'nginx',
    configure: (block, folder, port) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const http = ['access_log off;', ...temporary, block.replace('listen 443', `listen 127.0.0.1:${port}`)];
      return `pid ${folder}/nginx.pid;\nevents {}\nhttp {\n${http.join('\n')}\n}\n`;
    },
    args: (file) => ['-c', file, '-e', 'stderr', '-g', 'daemon off;'],
  },
  {
    program: 'haproxy',
    language: 'haproxy',
    configure: (block, _folder, port) => block.replace('bind :443', `bind 127.0.0.1:${port}`),
    args: (file) => ['-db', '-f', file],
  },
  {
    program: 'caddy',
    language: 'caddy',
    configure: (block, folder, port) => {
      const options = '{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n';
      const site = `https://127.0.0.1:${port} {\n  tls ${folder}/plants.pem ${folder}/plants.key`;
      return options + block.replace('plants.example.com {', site);
    },
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

const place = workplaceOfEachTest();
let services: ServerProcess[];
let running: RunningProcess | undefined;
let port: number;
let token: string;
let agent: Agent;

beforeEach(async () => {
  await place.shell(
    'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=plants -keyout plants.key -out plants.crt && cat plants.crt plants.key > plants.pem',
  );
  const ids = Array.from({ length: DELETES }, (_, index) => index).join('\n');
  expect(await place.call(['plants', 'import', '-'], { input: ids })).toMatchObject({ code: 0 });
  token = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
  services = [];
  const env = { NODE_ENV: 'production', TRUST_PROXY: '1', AUTH_FAILURES_PER_MINUTE: '3' };
  for (let count = 0; count < 2; count++) services.push(await place.serve(env));
  agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: CLIENTS });
});
afterEach(async () => {
  agent.destroy();
  running?.child.kill('SIGTERM');
  await running?.ended;
});

/** Starts a proxy with its block of the guide in front of both services, and waits for it. */
async function startProxy({ program, language, configure, args }: Proxy): Promise<void> {
  port = await freePort();
  const [first, second] = services.map((service) => [new URL(service.url).port, new URL(service.admin).port]);
  const ports = new Map([
    ['3001', first?.[0]],
    ['3002', second?.[0]],
    ['9465', first?.[1]],
    ['9466', second?.[1]],
  ]);
  const block = (await codeBlock('docs/deployment.md', language))
    .replaceAll(/\b(3001|3002|9465|9466)\b/g, (text) => ports.get(text) ?? text)
    .replaceAll('/etc/ssl/plants.example.com.', `${place.folder}/plants.`);
  const file = join(place.folder, `${program}.conf`);
  await writeFile(file, configure(block, place.folder, port));
  running = startProcess(program, args(file), { env: { PATH, HOME: place.folder } });
  for (let isUp = false; !isUp;) {
    if (running.child.exitCode !== null) throw new Error(running.errors());
    await pause(100);
    isUp = await send('GET', '/').then(
      ({ status }) => status < 500,
      () => false,
    );
  }
}

interface Answer {
  readonly status: number;
  readonly requestId: string;
}

/** Sends a request through the proxy. */
function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, requestId: String(response.headers['x-request-id']) });
      });
      response.once('error', reject);
    })
      .once('error', reject)
      .end();
  });
}

async function deletePlants(ids: Iterator<number>, results: number[], half: () => void): Promise<void> {
  for (let next = ids.next(); next.done !== true; next = ids.next()) {
    const { status } = await send('DELETE', `/plants/${next.value}`, { Authorization: `Bearer ${token}` });
    results.push(status);
    if (results.length === DELETES / 3) half();
  }
}

describe.each(PROXIES)('behind $program, with its block of docs/deployment.md', (proxy) => {
  const testIf = isInstalled(proxy.program) ? test : test.skip;

  testIf('no request fails when one of two services stops under load', async () => {
    await startProxy(proxy);
    const ids = Array.from({ length: DELETES }, (_, index) => index).values();
    const results: number[] = [];
    let stopped: Promise<number | null> | undefined;
    const stop = (): void => void (stopped = services[0]?.stop());
    await Promise.all(Array.from({ length: CLIENTS }, () => deletePlants(ids, results, stop)));
    expect(await stopped).toBe(0);
    expect(results).toEqual(Array(DELETES).fill(204));
    expect(await place.call(['plants', 'count'])).toMatchObject({ stdout: '0\n' });
    // Both had a part of them.
    expect(services.map((service) => service.output().includes('"operation":"deletePlant"'))).toEqual([true, true]);
  });

  testIf('a client sees the request id of the log, and cannot choose it or its address', async () => {
    await startProxy(proxy);
    const chosen = { 'X-Request-Id': 'mine', 'X-Forwarded-For': '203.0.113.9' };
    const { status, requestId } = await send('DELETE', '/plants/1', { ...chosen, Authorization: `Bearer ${token}` });
    expect(status).toBe(204);
    expect(requestId).toMatch(/^[\w.:-]{16,64}$/);
    const logs = (): string => services.map((service) => service.output()).join('');
    while (!logs().includes(requestId)) await pause(50);
    // Their failed authentications count as those of one address, whatever they say it is. A proxy
    // may send any of them to either service, so the last one need not meet the one that is full.
    const statuses: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const forged = { 'X-Forwarded-For': `203.0.113.${turn}`, Authorization: `Bearer plant_${'x'.repeat(33)}` };
      statuses.push((await send('DELETE', '/plants/2', forged)).status);
    }
    expect(statuses).toContain(429);
  });
});

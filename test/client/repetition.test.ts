import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Client, type ClientOptions } from 'plant-store-client';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { tcpProxy, type Fate } from '../support/tcp-proxy.ts';
import { freePort } from 'test-support/listen.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

let recorded: RecordedLog;
let service: Service;
beforeEach(async () => {
  recorded = new RecordedLog();
  service = await startService([1n, 2n, 3n], recorded.log, { authFailuresPerMinute: 3 });
});
afterEach(async () => {
  await service.close();
});

function clientOf(options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: service.url, token: service.token, ...options });
}

function deletePlant(client: Client, signal?: AbortSignal): ReturnType<Client['DELETE']> {
  return client.DELETE('/plants/{id}', { params: { path: { id: 2n } }, ...(signal && { signal }) });
}

/** Takes the store away from the service, until it is given back. */
function takeStore(): () => void {
  const connection = new SqliteConnection(service.file);
  connection.exec('ALTER TABLE plants RENAME TO elsewhere');
  return () => {
    connection.exec('ALTER TABLE elsewhere RENAME TO plants');
    connection.close();
  };
}

describe('a store that is unavailable (503)', () => {
  test('is retried after Retry-After, and the plant is deleted', async () => {
    const giveBack = takeStore();
    const start = performance.now();
    const call = deletePlant(clientOf());
    await recorded.linesOf('request');
    giveBack();
    expect((await call).response.status).toBe(204);
    // The service says Retry-After: 1.
    expect(performance.now() - start).toBeGreaterThan(1_000);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test('rejects with a typed error and Retry-After when no repetition is allowed', async () => {
    const giveBack = takeStore();
    await expect(deletePlant(clientOf({ retries: 0 }))).rejects.toMatchObject({
      kind: 'response',
      status: 503,
      code: 50300,
      retryAfter: 1,
      outcome: 'nothing done',
    });
    giveBack();
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });
});

test('a Retry-After beyond the timeout rejects at once, with its seconds', async () => {
  const stranger = clientOf({ token: 'stranger' });
  for (const status of [401, 401, 401, 429]) {
    await expect(deletePlant(stranger)).rejects.toMatchObject({ status, outcome: 'nothing done' });
  }
  await expect(deletePlant(stranger)).rejects.toMatchObject({ code: 42900, retryAfter: expect.any(Number) });
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});

describe('a service that cannot be reached', () => {
  test('is retried, and the plant is deleted once the service is up', async () => {
    const proxy = await tcpProxy();
    const client = clientOf({ baseUrl: `http://127.0.0.1:${proxy.port}`, retries: 100, timeout: 20_000 });
    const call = deletePlant(client);
    // Long enough for several attempts.
    await pause(500);
    proxy.targets = [service.port];
    expect((await call).response.status).toBe(204);
    await proxy.close();
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test('rejects with a typed error: nothing was done', async () => {
    const port = await freePort();
    await expect(deletePlant(clientOf({ baseUrl: `http://127.0.0.1:${port}`, retries: 1 }))).rejects.toMatchObject({
      kind: 'connection',
      outcome: 'nothing done',
      message: `No connection to the service at http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}.`,
    });
  });
});

test.each([
  ['on the retry, since the first attempt may have deleted the plant', {}, { kind: 'response', code: 40401 }],
  ['without a retry', { retries: 0 }, { kind: 'connection' }],
])('a lost response is an unknown outcome %s', async (_when, options, error) => {
  const proxy = await tcpProxy(service.port);
  const fates: Fate[] = ['lose answer'];
  proxy.fate = () => fates.pop() ?? 'pass';
  const call = deletePlant(clientOf({ baseUrl: `http://127.0.0.1:${proxy.port}`, ...options }));
  await expect(call).rejects.toMatchObject({ ...error, outcome: 'unknown' });
  await proxy.close();
  expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
});

describe('the signal of the caller', () => {
  const reason = new Error('changed my mind');

  test('sends nothing when it was aborted before', async () => {
    await expect(deletePlant(clientOf(), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });

  test('ends the pause before a retry', async () => {
    const giveBack = takeStore();
    const controller = new AbortController();
    const call = deletePlant(clientOf(), controller.signal);
    void recorded.linesOf('request').then(() => {
      controller.abort(reason);
    });
    await expect(call).rejects.toBe(reason);
    giveBack();
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });

  test('ends the wait for a token', async () => {
    const controller = new AbortController();
    const token = (): Promise<string> => {
      controller.abort(reason);
      return new Promise(() => undefined);
    };
    await expect(deletePlant(clientOf({ token }), controller.signal)).rejects.toBe(reason);
  });
});

describe('a function for tokens', () => {
  test('is asked once more when the service refuses the token, and not twice', async () => {
    const tokens = [service.token, 'expired'];
    const client = clientOf({ token: () => Promise.resolve(tokens.pop() ?? '') });
    expect((await deletePlant(client)).response.status).toBe(204);
    expect(tokens).toEqual([]);
    let asked = 0;
    const stranger = clientOf({ token: () => `refused-${String(asked++)}` });
    await expect(deletePlant(stranger)).rejects.toMatchObject({ status: 401, code: 40101 });
    expect(asked).toBe(2);
    expect(await plantsIn(service.stores)).toEqual([1n, 3n]);
  });

  test('with the same token again does not make the service refuse it twice', async () => {
    const client = clientOf({ token: () => 'refused' });
    // After three refusals the service answers 429.
    for (const status of [401, 401, 401, 429]) await expect(deletePlant(client)).rejects.toMatchObject({ status });
  });

  test('is bounded by the timeout of the call', async () => {
    const client = clientOf({ token: () => new Promise(() => undefined), timeout: 50 });
    await expect(deletePlant(client)).rejects.toMatchObject({ kind: 'timeout', outcome: 'nothing done' });
  });
});

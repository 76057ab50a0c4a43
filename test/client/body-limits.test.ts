import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createClient, ResponseError, type Client, type ClientOptions } from '../../src/client/create-client.ts';
import { operationOf } from '../../src/client/operation.ts';
import { send } from '../../src/client/send.ts';

const MIB = 2 ** 20;

let server: Server;
let url: string;
let answer: (response: ServerResponse) => void;
/** Resolves when the client has ended its connection. */
let closed: Promise<unknown>;
beforeEach(async () => {
  server = createServer((_request, response) => {
    closed = once(response, 'close');
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function deletePlant(options: Partial<ClientOptions> = {}): ReturnType<Client['DELETE']> {
  const client = createClient({ baseUrl: url, token: 'x', retries: 0, ...options });
  return client.DELETE('/plants/{id}', { params: { path: { id: 2n } } });
}

/** Sends a body for as long as it is taken; the bytes that went out. */
function endless(status: number, headers: Record<string, string> = {}): () => number {
  const chunk = Buffer.alloc(65_536, 'x');
  let sent = 0;
  answer = (response) => {
    response.writeHead(status, headers);
    const go = (): void => {
      if (response.destroyed) return;
      sent += chunk.length;
      if (response.write(chunk)) setImmediate(go);
      else response.once('drain', go);
    };
    go();
  };
  return () => sent;
}

/** A request whose success has a body, which no operation of the contract has. */
function get(maxResponseBytes: number): Promise<Response> {
  return send(new Request(url), {
    baseUrl: url,
    token: 'x',
    timeout: 30_000,
    attemptTimeout: 30_000,
    retries: 0,
    maxResponseBytes,
    signal: undefined,
    isSuccess: (status) => status === 200,
  });
}

describe('the body of a failure', () => {
  test('that does not end is read for 1 MiB, and its connection is closed', async () => {
    const sent = endless(500);
    await expect(deletePlant()).rejects.toMatchObject({
      name: 'ResponseError',
      status: 500,
      code: undefined,
      outcome: 'unknown',
      message: `DELETE was answered with 500, with a body of more than 1048576 bytes: is there the plant store at ${url}?`,
    });
    await closed;
    // What the system keeps on its way comes on top.
    expect(sent()).toBeLessThan(32 * MIB);
  });

  test.each([
    ['of 1 MiB is read', MIB, { code: 40401, message: 'x'.repeat(MIB - 28) }],
    ['of one byte more is not', MIB + 1, { code: undefined }],
  ])('%s', async (_what, length, error) => {
    const text = `{"error":40401,"message":"${'x'.repeat(length - 28)}"}`;
    expect(text).toHaveLength(length);
    answer = (response) => response.writeHead(404).end(text);
    await expect(deletePlant()).rejects.toMatchObject({ status: 404, outcome: 'nothing done', ...error });
  });

  test('that is small only while it is compressed is not unpacked in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    answer = (response) => response.writeHead(400, { 'Content-Encoding': 'gzip' }).end(bomb);
    await expect(deletePlant()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('with a body of more than 1048576 bytes'),
    });
  });

  test('in pieces that cut a character is read as it was written', async () => {
    const bytes = Buffer.from('{"error":40401,"message":"Blüte 🌷"}');
    answer = (response) => {
      response.writeHead(404);
      const pieces = [...bytes].map((byte) => Buffer.from([byte]));
      const go = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(go));
      };
      go();
    };
    await expect(deletePlant()).rejects.toMatchObject({ code: 40401, message: 'Blüte 🌷' });
  });
});

describe('the body of a success', () => {
  test('of as many bytes as are allowed is read; of one more it is a failure', async () => {
    answer = (response) => response.end('x'.repeat(100_000));
    expect(await (await get(100_000)).text()).toBe('x'.repeat(100_000));
    expect(await (await get(Infinity)).text()).toHaveLength(100_000);
    const failure = get(99_999);
    await expect(failure).rejects.toBeInstanceOf(ResponseError);
    await expect(failure).rejects.toMatchObject({
      status: 200,
      outcome: 'unknown',
      message: `GET was answered with 200 and more than 99999 bytes, the most that maxResponseBytes allows: is there the plant store at ${url}?`,
    });
  });

  test('that does not end is read as far as is allowed, and its connection is closed', async () => {
    const sent = endless(200);
    await expect(get(4 * MIB)).rejects.toMatchObject({ status: 200 });
    await closed;
    expect(sent()).toBeLessThan(32 * MIB);
  });

  test('is absent for a delete', async () => {
    answer = (response) => response.writeHead(204).end();
    expect(operationOf('DELETE', '/plants/{id}').isSuccess(204)).toBe(true);
    expect((await deletePlant({ maxResponseBytes: 0 })).response.status).toBe(204);
  });
});

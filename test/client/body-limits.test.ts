import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ResponseError } from '../../src/client/create-client.ts';
import { scriptedServer, sendTo } from './scripted-server.ts';

const MIB = 2 ** 20;

const scripted = scriptedServer();
const { deletePlant } = scripted;
/** Resolves when the client has ended its connection. */
let closed: Promise<unknown>;

function answerWith(answer: (response: ServerResponse) => void): void {
  scripted.answer = (_request, response) => {
    closed = once(response, 'close');
    answer(response);
  };
}

/** Sends a body for as long as it is taken; the bytes that went out. */
function endless(status: number, headers: Record<string, string> = {}): () => number {
  const chunk = Buffer.alloc(65_536, 'x');
  let sent = 0;
  answerWith((response) => {
    response.writeHead(status, headers);
    const go = (): void => {
      if (response.destroyed) return;
      sent += chunk.length;
      if (response.write(chunk)) setImmediate(go);
      else response.once('drain', go);
    };
    go();
  });
  return () => sent;
}

/** A request whose success has a body, which no operation of the contract has. */
function get(maxResponseBytes: number): Promise<Response> {
  return sendTo(new Request(scripted.url), { baseUrl: scripted.url, maxResponseBytes });
}

describe('the body of a failure', () => {
  test('that does not end is read for 1 MiB, and its connection is closed', async () => {
    const sent = endless(500);
    await expect(deletePlant()).rejects.toMatchObject({
      name: 'ResponseError',
      status: 500,
      code: undefined,
      outcome: 'unknown',
      message: `DELETE was answered with 500, with a body of more than 1048576 bytes: is there the plant store at ${scripted.url}?`,
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
    answerWith((response) => response.writeHead(404).end(text));
    await expect(deletePlant()).rejects.toMatchObject({ status: 404, outcome: 'nothing done', ...error });
  });

  test('that is small only while it is compressed is not unpacked in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    answerWith((response) => response.writeHead(400, { 'Content-Encoding': 'gzip' }).end(bomb));
    await expect(deletePlant()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('with a body of more than 1048576 bytes'),
    });
  });

  test('in pieces that cut a character is read as it was written', async () => {
    const bytes = Buffer.from('{"error":40401,"message":"Blüte 🌷"}');
    answerWith((response) => {
      response.writeHead(404);
      const pieces = [...bytes].map((byte) => Buffer.from([byte]));
      const go = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(go));
      };
      go();
    });
    await expect(deletePlant()).rejects.toMatchObject({ code: 40401, message: 'Blüte 🌷' });
  });
});

test('a success of as many bytes as are allowed is read; one of one more is a failure', async () => {
  answerWith((response) => response.end('x'.repeat(100_000)));
  expect(await (await get(100_000)).text()).toBe('x'.repeat(100_000));
  expect(await (await get(Infinity)).text()).toHaveLength(100_000);
  const failure = get(99_999);
  await expect(failure).rejects.toBeInstanceOf(ResponseError);
  await expect(failure).rejects.toMatchObject({
    status: 200,
    outcome: 'unknown',
    message: `GET was answered with 200 and more than 99999 bytes, the most that maxResponseBytes allows: is there the plant store at ${scripted.url}?`,
  });
});

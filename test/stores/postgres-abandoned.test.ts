import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from 'test-support/listen.ts';
import { Connections } from '../../src/stores/postgres/connections.ts';
import { Primary } from '../../src/stores/postgres/primary.ts';

/** A message of the server: its type, its length, its content. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

const READY = message('Z', 'I');
const COLUMN = message('T', `\0\u{1}hangs\0${'\0'.repeat(18)}`);
const ROW = message('D', '\0\u{1}\0\0\0\u{1}1');
const COMPLETE = message('C', 'SELECT\0');

/** Whether the server says that a statement hangs, and how often it was asked. */
let hangs: boolean;
let asked: number;
beforeEach(() => {
  [hangs, asked] = [true, 0];
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A server that never answers the statement SELECT lost. */
function losingServer(): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), READY]));
      socket.on('data', (data) => {
        const text = data.toString('latin1');
        if (!text.startsWith('Q') || text.includes('SELECT lost')) return;
        const isAsked = text.includes('pg_stat_activity');
        if (isAsked) asked++;
        socket.write(Buffer.concat([COLUMN, ...(isAsked && hangs ? [ROW] : []), COMPLETE, READY]));
      });
    });
  });
}

/** Lets the time pass after which the server is asked, and waits until it is. */
async function untilAsked(times: number): Promise<void> {
  jest.runOnlyPendingTimers();
  for (const end = performance.now() + 20_000; asked < times && performance.now() < end;) await pause(5);
  expect(asked).toBe(times);
}

test('a connection without an answer keeps its place while a statement hangs in the server, and no longer', async () => {
  const server = await listen(losingServer());
  const url = `postgres://plants@127.0.0.1:${server.port}/plants`;
  const connections = new Connections(new Primary(url, url), 1, () => undefined, 50);
  const run = (statement: string): Promise<unknown> => connections.use((client) => client.query(statement));
  await expect(run('SELECT lost')).rejects.toThrow('no answer within 50 ms');
  await untilAsked(1);
  await expect(run('SELECT 1')).rejects.toThrow('timeout');
  hangs = false;
  await untilAsked(2);
  await expect(run('SELECT 1')).resolves.toMatchObject({ rows: [] });
  await connections.close();
  await server.close();
});

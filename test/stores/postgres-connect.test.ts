import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { openPool } from '../../src/stores/postgres/pool.ts';
import { listen } from '../support/listen.ts';

/** A message of the server: its type, its length, its content. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

test('a connection that the server ends as soon as it is ready fails its statement, and not the process', async () => {
  const ready = [message('R', '\0\0\0\0'), message('Z', 'I')];
  const ended = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
  const server = await listen(
    createServer((socket) => {
      // In one piece, so that pg reads both before the statement is sent.
      socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([...ready, ended])));
    }),
  );
  const url = `postgres://plants@127.0.0.1:${server.port}/plants`;
  const pool = openPool(url, url, 1, () => undefined);
  await expect(pool.query('SELECT 1')).rejects.toThrow();
  await pool.close();
  await server.close();
});

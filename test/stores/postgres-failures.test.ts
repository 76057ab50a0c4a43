import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import pg from 'pg';
import { DatabaseUnreachableError } from '../../src/errors.ts';
import { openStores } from '../../src/stores/open.ts';
import { Connections } from '../../src/stores/postgres/connections.ts';
import {
  asStoreError,
  failureMessage,
  endsConnection,
  isBusy,
  isUnreachable,
} from '../../src/stores/postgres/failures.ts';
import { Pool } from '../../src/stores/postgres/pool.ts';
import { Primary } from '../../src/stores/postgres/primary.ts';
import { listen } from 'test-support/listen.ts';

/** An error as a server sends it. */
function sent(severity: string, code: string, message = 'it failed'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity, code });
}

const NO_LOGIN = 'server login has been failing, try again later (server_login_retry)';

test.each([
  ['a full disk that fails one statement', 'ERROR', '53100', 'nothing done', false],
  ['a full disk below the write-ahead log, where the commit may be written', 'PANIC', '53100', 'unknown', true],
  ['the same of a server that speaks German', 'PANIK', '53100', 'unknown', true],
  ['an fsync that fails', 'PANIC', '58030', 'unknown', true],
  ['a file of the server that cannot be opened', 'PANIC', '42501', 'unknown', true],
  ['a missing right', 'ERROR', '42501', 'nothing done', false],
  ['a missing right, in German', 'FEHLER', '42501', 'nothing done', false],
  ['a transaction that the server ends with its connection', 'FATAL', '25P04', 'unknown', true],
  ['a server that is stopped', 'FATAL', '57P01', 'unknown', true],
  ['a server of which another process crashed', 'WARNING', '57P02', 'unknown', true],
  ['an engine that does not know whether it committed', 'ERROR', '40003', 'unknown', true],
  ['Citus that loses a worker in mid-commit, which may have committed', 'ERROR', 'XX000', 'unknown', true],
  ['a statement that was cancelled', 'ERROR', '57014', 'nothing done', false],
  ['a transaction that lost against another', 'ERROR', '40001', 'nothing done', false],
  ['a server that takes no writes', 'ERROR', '25006', 'nothing done', true],
  // PgBouncer without a server has sent nothing.
  ['PgBouncer that cannot log in', 'FATAL', '08P01', 'nothing done', true, NO_LOGIN],
  ['PgBouncer that could not', 'FATAL', '08P01', 'nothing done', true, NO_LOGIN.replace('try', 'cached error: try')],
  ['PgBouncer that has no server', 'FATAL', '08P01', 'nothing done', true, 'query_wait_timeout'],
] as const)('%s (%s %s): %s', (_name, severity, code, outcome, ends, message = 'it failed') => {
  const error = sent(severity, code, message);
  expect(asStoreError(error)).toMatchObject({
    name: 'StoreError',
    outcome,
    message: `PostgreSQL: ${message} (${code})`,
    cause: error,
  });
  expect(endsConnection(error)).toBe(ends);
});

test.each([
  ['a server with too many connections is there', sent('FATAL', '53300'), true],
  ['a pooler whose servers all hang is there', sent('FATAL', '08P01', 'query_wait_timeout'), true],
  ['a pooler that lets a statement wait is there', new Error('Query read timeout'), true],
  ['a server that accepts no connection may be lost', new Error('timeout expired'), false],
])('%s', (_name, error, expected) => {
  expect(isBusy(error)).toBe(expected);
});

test('an error of several servers, each with several addresses, tells what all of them said', () => {
  const addresses = new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('connect ETIMEDOUT')]);
  const both = new AggregateError([addresses, sent('FATAL', '57P03', 'starting up')]);
  expect(failureMessage(both)).toBe('connect ECONNREFUSED ::1, connect ETIMEDOUT, starting up (57P03)');
});

/** An error of the driver or of the system. */
const failed = (properties: object): Error => Object.assign(new Error('it failed'), properties);

test.each([
  ['a server that starts', sent('FATAL', '57P03'), true],
  ['a server that stops', sent('FATAL', '57P01'), true],
  ['a server with too many connections', sent('FATAL', '53300'), true],
  ['PgBouncer 1.24 without a server', sent('FATAL', '08P01', NO_LOGIN), true],
  ['PgBouncer, paused', sent('FATAL', '08P01', 'query_wait_timeout'), true],
  ['PgBouncer with too many clients', sent('FATAL', '08P01', 'no more connections allowed (max_client_conn)'), true],
  ['PgBouncer that refuses a parameter', sent('FATAL', '08P01', 'unsupported startup parameter: lock_timeout'), false],
  ['a wrong password', sent('FATAL', '28P01'), false],
  ['a missing database', sent('FATAL', '3D000'), false],
  ['a missing schema', sent('FATAL', '3F000'), false],
  ['a missing right', sent('FATAL', '42501'), false],
  ['a server that takes no writes', sent('FATAL', '25006'), false],
  ['a name that does not resolve', failed({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), true],
  ['a socket file that is not there', failed({ code: 'ENOENT', syscall: 'connect' }), true],
  ['a TLS handshake that was cut', failed({ code: 'ECONNRESET' }), true],
  ['a certificate file that is not there', failed({ code: 'ENOENT', syscall: 'open' }), false],
  ['a certificate that is not trusted', failed({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), false],
])('%s (%j): worth waiting for: %s', (_name, error, waits) => {
  expect(isUnreachable(error)).toBe(waits);
});

/** A message of the server: its type, its length, its content. */
function message(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}

const ENDED = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');
const REFUSED = message('E', 'SFATAL\0C08P01\0Mpassword authentication failed\0\0');

test.each([
  // In one piece, so that pg reads all before the statement is sent.
  ['a connection that the server ends as soon as it is ready', [message('R', '\0\0\0\0'), message('Z', 'I'), ENDED]],
  ['a refusal of PgBouncer, such as of a password,', [REFUSED]],
])('%s fails what is asked, and not the process', async (_what, answer) => {
  const server = await listen(
    createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat(answer)));
    }),
  );
  const url = `postgres://plants@127.0.0.1:${server.port}/plants`;
  const connections = new Connections(new Primary(url, url), 1, () => undefined);
  await expect(new Pool(connections).query('SELECT 1')).rejects.toThrow();
  await connections.close();
  if (answer[0] === REFUSED) {
    const failure: unknown = await openStores({ kind: 'postgres', url }).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(DatabaseUnreachableError);
    expect(String(failure)).toMatch(/\(08P01\).*DATABASE_URL/);
  }
  await server.close();
});

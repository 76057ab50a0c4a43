import { expect, test } from '@jest/globals';
import pg from 'pg';
import { asStoreError, endsConnection } from '../../src/stores/postgres/failures.ts';

/** An error as a server sends it. */
function sent(severity: string, code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('it failed', 0, 'error'), { severity, code });
}

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
  ['a statement that was cancelled', 'ERROR', '57014', 'nothing done', false],
  ['a transaction that lost against another', 'ERROR', '40001', 'nothing done', false],
  ['a server that takes no writes', 'ERROR', '25006', 'nothing done', true],
])('%s (%s %s): %s', (_name, severity, code, outcome, ends) => {
  const error = sent(severity, code);
  expect(asStoreError(error)).toMatchObject({
    name: 'StoreError',
    outcome,
    message: `PostgreSQL: it failed (${code})`,
    cause: error,
  });
  expect(endsConnection(error)).toBe(ends);
});

test('what the driver says of a connection, not the server: unknown, and the connection is of no more use', () => {
  const error = new Error('Connection terminated unexpectedly');
  expect(asStoreError(error)).toMatchObject({ outcome: 'unknown', message: `PostgreSQL: ${error.message}` });
  expect(endsConnection(error)).toBe(true);
});

import pg from 'pg';
import { messageOf, StoreError } from '../../errors.ts';

/**
 * SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) of a statement that may have been committed all the same: the
 * connection failed (08), the engine does not know (40003), or the server was stopped, maybe between the commit and its answer (57P0x).
 */
const UNKNOWN = /^(08|40003|57P0)/;
/** Of a server that is in trouble itself: it lacks something (53), the system under it fails (58), or it finds itself in disorder (XX). */
const IN_TROUBLE = /^(53|58|XX)/;
/** Of a transaction that lost against another one, and may win when it is repeated. */
const LOST = new Set(['40001', '40P01']);
/**
 * Of a whole statement, whatever its rows: the server cannot do it (0A), the transaction, database, schema, tables or rights are not there (25 to
 * 42), or the server is in trouble. Everything else may be due to one row: a trigger may raise any code.
 */
const OF_ALL = /^(0A|25|26|28|3D|3F|42|53|58|XX)/;
/** A row is kept by those that refer to it (23503; 23001 is what PostgreSQL 18 calls ON DELETE RESTRICT), by a rule or trigger of the table. */
const KEPT = /^(23|44|45|P0001)/;
const TOO_MANY = '53300';
/** The server takes no writes, as after a failover: a new connection may lead to another one. */
const READ_ONLY = '25006';

/** Of a server that takes no connection now: it has too many (53), starts, stops or recovers (57P0x), or a proxy has lost it (08). */
const UNREACHABLE = /^(08(?!P01)|53|57P0)/;
/** PgBouncer has one SQLSTATE, 08P01, for all that it refuses; these are the texts for a server that it cannot reach. */
const POOLER_WITHOUT_SERVER = /server_login_retry|query_wait_timeout|client_login_timeout|cannot connect to server/;
/** System calls that fail when a server cannot be reached. */
const CONNECTING = new Set(['connect', 'getaddrinfo', 'read', 'write']);
/** Errors of pg, which have no code. */
const NO_ANSWER = /^(Connection terminated|timeout expired|Query read timeout)/;

/** The SQLSTATE of an error that a server has sent; undefined for every other. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * True when a server has said that it rolled a statement back, and goes on. A PANIC, such as a full disk or an fsync that fails below the
 * write-ahead log, may come when the commit is written already, and the recovery that follows finds it.
 */
function isRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', severity = '' } = error;
  if (UNKNOWN.test(code)) return false;
  // In a language that the server was given, ERROR may be another word; what is no trouble of the server is no PANIC then.
  return severity === 'ERROR' || !(IN_TROUBLE.test(code) || severity === 'FATAL' || severity === 'PANIC');
}

/** True when a statement was rolled back only because others ran at the same time. */
export function hasLost(error: unknown): boolean {
  return LOST.has(sqlStateOf(error) ?? '');
}

/** True when a statement may have failed for some of its rows only, and may succeed for the others. */
export function isOfRows(error: unknown): boolean {
  return isRolledBack(error) && !hasLost(error) && !OF_ALL.test(sqlStateOf(error) ?? '');
}

/** True when a server refuses one more connection because it has too many; those that are open go on. */
export function isRefusedOne(error: unknown): boolean {
  return sqlStateOf(error) === TOO_MANY;
}

/** True when a connection failed for want of a server that answers, which may pass by itself. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  const state = sqlStateOf(error);
  if (state !== undefined) return UNREACHABLE.test(state) || POOLER_WITHOUT_SERVER.test(messageOf(error));
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  // In the middle of a TLS handshake there is no system call.
  return CONNECTING.has(syscall) || code === 'ECONNRESET' || NO_ANSWER.test(messageOf(error));
}

/** True when something in the database keeps the row that was to be deleted. */
export function isKept(error: unknown): boolean {
  return KEPT.test(sqlStateOf(error) ?? '');
}

/** True when a connection is of no more use after an error: it is broken, its state unknown, or it leads to a server that takes no writes. */
export function endsConnection(error: unknown): boolean {
  return !isRolledBack(error) || sqlStateOf(error) === READ_ONLY;
}

/** A failure to connect, or before anything could be committed, as the store's own. */
export function asNothingDone(cause: unknown): StoreError {
  if (cause instanceof StoreError && cause.outcome === 'nothing done') return cause;
  return new StoreError(`PostgreSQL: ${describe(cause)}`, 'nothing done', { cause });
}

/** A failure of a statement as the store's own, with what it means for the work. Errors of this program stay what they are. */
export function asStoreError(cause: unknown): unknown {
  if (cause instanceof StoreError || cause instanceof TypeError || cause instanceof RangeError) return cause;
  // A connection that ended, or an answer that did not come: the statement may have been done.
  const outcome = isRolledBack(cause) ? 'nothing done' : 'unknown';
  const advice = sqlStateOf(cause) === READ_ONLY ? '. DATABASE_URL must lead to a server that takes writes.' : '';
  return new StoreError(`PostgreSQL: ${describe(cause)}${advice}`, outcome, { cause });
}

/** What an error says: those of several addresses that were tried say nothing themselves. */
export function describe(error: unknown): string {
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const state = sqlStateOf(error);
  return all.map(messageOf).join(', ') + (state === undefined ? '' : ` (${state})`);
}

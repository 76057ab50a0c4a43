import pg from 'pg';
import { messageOf, StoreError } from '../../errors.ts';
import { ConstraintError, RESTORE_TABLE, StatementError } from '../database.ts';
import { BUSY_POOLER } from './advice.ts';

/**
 * SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) after which the
 * outcome of a statement is unknown: connection lost (08), completion unknown (40003), server shut
 * down, perhaps between the commit and its response (57P0x), internal error (XX), which Citus
 * reports too when it loses a worker in mid-commit.
 */
const UNKNOWN_STATES = /^(08|40003|57P0|XX)/;
/** A failing server: insufficient resources (53) or a system error (58). */
const IN_TROUBLE = /^(53|58)/;
/** A transaction that lost a conflict with another one and may succeed on retry. */
const LOST = new Set(['40001', '40P01']);
/**
 * An error of the whole statement, whatever its rows: unsupported feature (0A), missing
 * transaction, database, schema, table or privilege (25 to 42), or a failing server. Others may
 * concern one row: a trigger may raise any code.
 */
const OF_ALL = /^(0A|25|26|28|3D|3F|42|53|58|XX)/;
/** A constraint refused a row (23), or a rule or trigger of its table. */
const KEPT = /^(23|44|45|P0001)/;
/**
 * A fault of the statement, which fails whenever it is repeated: unsupported feature (0A), wrong
 * cardinality or data (20 to 22), unfit for a transaction (24 to 2D, without a read-only server) or
 * an object such as a view (55, without locks), an error in a function (2F, 38, 39, P0), unknown
 * names (34, 3B, 3F, 42, without a missing privilege, which needs the operator), too complex (54).
 */
const STATEMENT_STATES = /^(0A|2[012467BDF]|25(001|P01)|3[489BF]|42(?!501)|54|55(000|P02|P04)|P0)/;
const TOO_MANY = '53300';
const UNDEFINED_TABLE = '42P01';
/** The name in any language, without a schema, which statements of this program never name. */
const OWN_TABLES = /(?<![\w.])(?:plants|plant_store_tokens)(?!\w)/;
/** What reports a table that a statement uses, but does not select from, with the same SQLSTATE. */
const NOT_IN_FROM = 'errorMissingRTE';

/**
 * The server accepts no connection now: too many connections (53), starting, stopping or in
 * recovery (57P0x), or lost by a proxy (08).
 */
const UNREACHABLE = /^(08(?!P01)|53|57P0)/;
/** System calls that fail if a server is unreachable. */
const CONNECTING = new Set(['connect', 'getaddrinfo', 'read', 'write']);
/** Messages of pg's errors without a code. */
const NO_ANSWER = /^(Connection terminated|timeout expired|Query read timeout)/;

/** None of several servers may be written to now, as during a failover. */
export class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
}

/** The SQLSTATE of a server's error; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * True if the server rolled a statement back and keeps running. A PANIC, such as a full disk or a
 * failed fsync of the write-ahead log, may follow the write of the commit, which recovery then
 * finds.
 */
function isRolledBack(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', severity = '' } = error;
  if (UNKNOWN_STATES.test(code)) return false;
  // A localised server translates ERROR; then an error outside these classes is not a PANIC.
  return severity === 'ERROR' || !(IN_TROUBLE.test(code) || severity === 'FATAL' || severity === 'PANIC');
}

/** True if a statement was rolled back only because of a conflict with other transactions. */
export function hasLost(error: unknown): boolean {
  return LOST.has(sqlStateOf(error) ?? '');
}

/** True if a statement may have failed because of some rows only. */
export function isOfRows(error: unknown): boolean {
  return isRolledBack(error) && !hasLost(error) && !OF_ALL.test(sqlStateOf(error) ?? '');
}

/** True if a server refuses a connection because it has too many; open ones are unaffected. */
export function isRefusedOne(error: unknown): boolean {
  return sqlStateOf(error) === TOO_MANY;
}

/** True if a connection failed because the server is unreachable, which may be temporary. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (error instanceof ReadOnlyServerError) return true;
  const state = sqlStateOf(error);
  if (state !== undefined) return UNREACHABLE.test(state) || isOfPooler(error);
  // The properties of Node's system errors; any other error lacks them.
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  // During a TLS handshake the error names no system call.
  return CONNECTING.has(syscall) || code === 'ECONNRESET' || NO_ANSWER.test(messageOf(error));
}

/** True if a pooler refused a statement that it could not send to a server. */
function isOfPooler(error: unknown): boolean {
  return sqlStateOf(error) === '08P01' && BUSY_POOLER.test(messageOf(error));
}

/** True if a server or pooler is there, but runs no further statement now. */
export function isBusy(error: unknown): boolean {
  return isRefusedOne(error) || isOfPooler(error) || messageOf(error).startsWith('Query read timeout');
}

/** True if a server is read-only, as after a failover; a new connection may reach another one. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === '25006';
}

/** True if a constraint, a rule or a trigger of a table refused to change a row. */
export function isKept(error: unknown): boolean {
  return KEPT.test(sqlStateOf(error) ?? '');
}

/** True if a connection is unusable after an error: broken, in an unknown state, or read-only. */
export function endsConnection(error: unknown): boolean {
  // The server has rolled back what it belongs to.
  if (error instanceof StatementError) return false;
  return !isRolledBack(error) || isReadOnly(error);
}

/** True if a table is gone that the program has made: the operator has to restore it. */
function isOwnTableMissing(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== UNDEFINED_TABLE) return false;
  return OWN_TABLES.test(error.message) && error.routine !== NOT_IN_FROM;
}

/**
 * The error of a failed statement: a ConstraintError, a StatementError for its own fault, otherwise
 * a StoreError.
 */
export function asStatementFailure(cause: unknown, asOther: (cause: unknown) => Error = asStoreError): Error {
  if (isKept(cause)) return new ConstraintError(`PostgreSQL: ${failureMessage(cause)}`, { cause });
  if (!isRolledBack(cause) || !STATEMENT_STATES.test(sqlStateOf(cause) ?? '')) return asOther(cause);
  if (isOwnTableMissing(cause)) {
    return new StoreError(`PostgreSQL: ${failureMessage(cause)}. ${RESTORE_TABLE}`, 'nothing done', { cause });
  }
  return new StatementError(`PostgreSQL: ${failureMessage(cause)}`, { cause });
}

/** The StoreError of a failure before the commit, such as a failure to connect. */
export function asNothingDone(cause: unknown): StoreError {
  if (cause instanceof StoreError && cause.outcome === 'nothing done') return cause;
  return new StoreError(`PostgreSQL: ${failureMessage(cause)}`, 'nothing done', { cause });
}

/** The StoreError of a failed statement, with its outcome; the program's own errors as they are. */
export function asStoreError(cause: unknown): Error {
  if (cause instanceof StoreError || cause instanceof TypeError || cause instanceof RangeError) return cause;
  // A lost connection or a timeout: the statement may have been carried out.
  const outcome = isRolledBack(cause) || isOfPooler(cause) ? 'nothing done' : 'unknown';
  return new StoreError(`PostgreSQL: ${failureMessage(cause)}`, outcome, { cause });
}

/** The message of an error. An AggregateError of several addresses has no message of its own. */
export function failureMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(failureMessage).join(', ');
  const state = sqlStateOf(error);
  return messageOf(error) + (state === undefined ? '' : ` (${state})`);
}

import { noteStatements, StatementError, type Database, type Row, type Statement, type Value } from '../database.ts';
import { observeCommit, type OnCommit } from '../observe-commit.ts';
import { asNothingDone, asStatementFailure } from './failures.ts';
import type { Pool, Result } from './pool.ts';
import { sqlText } from './sql-text.ts';

/** The object ids of types (https://www.postgresql.org/docs/current/catalog-pg-type.html). */
const INT8 = 20;
const INT4 = 23;
const BYTEA = 17;

/** Bytes come in this form, whatever the default. */
const HEX = 'SET LOCAL bytea_output = hex';
/**
 * A statement sees what others committed while it waited for their locks, whatever the default
 * (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-READ-COMMITTED).
 */
const READ_COMMITTED = 'SET TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Runs the statements of store functions in PostgreSQL, a write in one round trip. */
export function postgresStatements(pool: Pool, onCommit: OnCommit): Database {
  return {
    read: async <Columns extends Row>(statement: Statement) => {
      // Outside the `try`: a value that cannot be written is not a failure of the server.
      const text = statementText(statement);
      try {
        // Safe: the statement selects the columns that its caller names.
        return rowsOf(await pool.read(text, [HEX])) as readonly Columns[];
      } catch (cause) {
        throw noteStatements(failureOfRead(cause), [statement]);
      }
    },
    write: async (...statements) => {
      try {
        const commit = (): Promise<readonly Result[]> =>
          pool.queries(statements.map(statementText), [READ_COMMITTED, HEX]);
        return (await observeCommit(onCommit, 1, commit)).map(rowsOf);
      } catch (cause) {
        throw noteStatements(asStatementFailure(cause), statements);
      }
    },
  };
}

function failureOfRead(cause: unknown): Error {
  return cause instanceof StatementError ? cause : asStatementFailure(cause, asNothingDone);
}

function statementText({ texts, values }: Statement): string {
  return sqlText(texts, ...values);
}

/** The rows of a result, with exact int64s. */
export function rowsOf({ rows, columns }: Result): readonly Row[] {
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ name, type }, index) => [name, valueOf(row[index] ?? null, type)])),
  );
}

/** Bytes come in hexadecimal (https://www.postgresql.org/docs/current/datatype-binary.html). */
function valueOf(text: string | null, type: number): Value {
  if (text === null) return null;
  if (type === INT8 || type === INT4) return BigInt(text);
  return type === BYTEA ? Buffer.from(text.slice(2), 'hex') : text;
}

import type { SqliteStatement as Prepared } from './driver.ts';
import { noteStatements, StatementError, WRITES, type Database, type Row, type Statement } from '../database.ts';
import { Batches } from '../batches.ts';
import { observeCommit, type OnCommit } from '../observe-commit.ts';
import { commitApart } from './commit-apart.ts';
import { failureOfStatement, runRead, type SqliteDatabase } from './database.ts';

/** Runs one of several writes of a transaction. @returns its rows, or the error that undid it. */
type WriteAttempt = (statements: readonly Statement[]) => readonly (readonly Row[])[] | Error;

/**
 * Runs the statements of store functions in SQLite. Concurrent writes share a commit. `drain`
 * resolves when the writes that wait have ended.
 */
export function sqliteStatements(
  database: SqliteDatabase,
  onCommit: OnCommit,
): Database & { readonly drain: () => Promise<void> } {
  const { run, runReadOnly } = statementRunner(database);
  const attempt = savepoints(database, run);
  const batches = new Batches(async (writes: readonly (readonly Statement[])[]) => {
    const commit = (part: typeof writes): Promise<ReturnType<WriteAttempt>[]> =>
      observeCommit(onCommit, part.length, () => database.transaction(() => part.map(attempt)));
    const results = await commitApart(writes, commit);
    return (_: readonly Statement[], index: number) => {
      const result = results[index] ?? [];
      if (result instanceof Error) throw result;
      return result;
    };
  });
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async <Columns extends Row>(statement: Statement) => {
      try {
        // Safe: the statement selects the columns that its caller names.
        return (await runRead(() => runReadOnly(statement))) as readonly Columns[];
      } catch (error) {
        throw noteStatements(error, [statement]);
      }
    },
    write: (...statements) => {
      const write = batches.enqueue(statements);
      last = write;
      return write;
    },
    drain: async () => {
      // Writes end in their order; their callers receive the failures.
      await Promise.allSettled([last]);
    },
  };
}

/** Runs a statement. @returns its rows. */
type Run = (statement: Statement) => readonly Row[];

/** Prepares each statement once: their texts are part of the program. */
function statementRunner({ connection }: SqliteDatabase): { readonly run: Run; readonly runReadOnly: Run } {
  const known = new Map<string, Prepared<unknown[], Row>>();
  const prepare = ({ texts }: Statement): Prepared<unknown[], Row> => {
    const text = texts.join('?');
    const prepared = known.get(text) ?? connection.prepare<unknown[], Row>(text);
    known.set(text, prepared);
    return prepared;
  };
  return {
    run: (statement) => {
      const prepared = prepare(statement);
      if (prepared.reader) return prepared.all(statement.values);
      prepared.run(statement.values);
      return [];
    },
    runReadOnly: (statement) => {
      const prepared = prepare(statement);
      if (!prepared.readonly) throw new StatementError(WRITES);
      return prepared.all(statement.values);
    },
  };
}

/** Undoes a write that fails, without an effect on the others of its transaction. */
function savepoints({ connection }: SqliteDatabase, run: Run): WriteAttempt {
  const begin = connection.prepare('SAVEPOINT one_write');
  const undo = connection.prepare('ROLLBACK TO one_write');
  const end = connection.prepare('RELEASE one_write');
  return (statements) => {
    begin.run();
    try {
      return statements.map(run);
    } catch (cause) {
      const failure = failureOfStatement(cause);
      if (failure === undefined || !connection.inTransaction) throw cause;
      undo.run();
      return noteStatements(failure, statements);
    } finally {
      if (connection.inTransaction) end.run();
    }
  };
}

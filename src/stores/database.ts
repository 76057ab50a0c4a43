/** A value of a column: an int64, a text, bytes, or nothing. */
export type Value = bigint | string | Uint8Array | null;

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, Value>>;

/** A statement in the SQL that SQLite and PostgreSQL have in common. */
export interface Statement {
  /** The text around the values, which each database writes in its own way. */
  readonly texts: readonly string[];
  readonly values: readonly Value[];
}

/**
 * What store functions run on. Each member rejects with a StoreError when it is unavailable, and
 * with a StatementError for a fault of the statement itself.
 */
export interface Database {
  /**
   * Reads committed rows. The caller names the columns that its statement selects. Rejects with a
   * StatementError for a statement that writes: a read is never durable, and may run twice.
   */
  readonly read: <Columns extends Row>(statement: Statement) => Promise<readonly Columns[]>;
  /**
   * Runs statements in one transaction, durable once the promise resolves. Each statement sees the
   * rows of those before it, and what others have committed by then.
   * @returns the rows of each, which `RETURNING` selects.
   * Rejects with a ConstraintError, without an effect, when a constraint refuses a row.
   */
  readonly write: (...statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;
}

/** A constraint of the database refused a row, such as a reference to a row that does not exist. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  /** The statements of the write, without their values. */
  statements?: readonly string[];

  constructor(reason: string, options: ErrorOptions) {
    super(`A constraint of the database refused a row. ${reason}.`, options);
  }
}

/** The database refuses a statement as written, such as one with an unknown column. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** The statements of the read or write, without their values. */
  statements?: readonly string[];

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `${reason}. Repeating does not help: the statement is wrong, or does not fit the schema. Is a migration missing in src/stores/migrations.ts?`,
      options,
    );
  }
}

/** What to do about a table that the program has made, and that is gone. */
export const RESTORE_TABLE = 'A table of the plant store is gone: restore a backup, as docs/operations.md says.';

/** The reason of a StatementError for a read that writes. */
export const WRITES = 'A statement of read() changes the database: use write()';

/**
 * Notes the statements in an error of theirs, for the log: writes that share a commit have no stack
 * that leads to their store function.
 */
export function noteStatements<T>(error: T, statements: readonly Statement[]): T {
  if (error instanceof StatementError || error instanceof ConstraintError) {
    error.statements = statements.map(({ texts }) => texts.join('?'));
  }
  return error;
}

/** The name of a table or column in a statement. */
export class Name {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The beginning of a statement that would end the transaction of a write. */
const TRANSACTION = /^\s*(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE)\b/i;

/**
 * Writes a statement; `${}` holds a value, never SQL, apart from a {@link Name}.
 * @throws RangeError for a text with U+0000, at which PostgreSQL would cut the statement, and for
 * statements that begin or end a transaction, which others may share.
 */
export function sql(parts: TemplateStringsArray, ...inserted: readonly (Value | Name)[]): Statement {
  const [first = '', ...laterTexts] = parts;
  const [transaction] = TRANSACTION.exec(first) ?? [];
  if (transaction !== undefined) {
    throw new RangeError(`Leave ${transaction.trim()} out: the statements of one write() are one transaction.`);
  }
  const texts = [first];
  const values: Value[] = [];
  for (const [index, part] of laterTexts.entries()) {
    const value = inserted[index] ?? null;
    if (typeof value === 'string' && value.includes('\0')) {
      throw new RangeError('A text has U+0000, which PostgreSQL cannot store: refuse it in openapi.yaml by a pattern.');
    }
    if (value instanceof Name) texts.push(`${texts.pop() ?? ''}${value.name}${part}`);
    else {
      values.push(value);
      texts.push(part);
    }
  }
  return { texts, values };
}

/** The names of column types that the databases do not share; `text` is one that they do. */
export interface ColumnTypes {
  readonly int64: string;
  readonly bytes: string;
}

/**
 * What each schema version after the first adds to the previous one, in SQL that both databases
 * understand. Append only: programs have applied the others. Each is applied once, in a transaction.
 * Tables may be full: an `ADD COLUMN` with a constant default, or none, rewrites no row.
 */
export const MIGRATIONS: readonly ((types: ColumnTypes) => string)[] = [];

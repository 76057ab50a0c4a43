/** The names of column types that SQLite and PostgreSQL do not share; `text` is one that they do. */
export interface ColumnTypes {
  readonly int64: string;
  readonly bytes: string;
}

/**
 * What each schema version after the first adds to the previous one, in SQL that both databases
 * understand. Append only: programs have applied the others. It runs in one transaction on tables
 * that may be full. An `ADD COLUMN` with a constant default or none rewrites no row; `IF NOT EXISTS`
 * is not needed, since each version is applied once.
 */
export const MIGRATIONS: readonly ((types: ColumnTypes) => string)[] = [];

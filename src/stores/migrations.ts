/** The names of column types that differ between the databases; they share `text`. */
interface ColumnTypes {
  readonly int64: string;
  readonly bytes: string;
}

/**
 * What each schema version after the first adds to the previous one, in SQL that both databases
 * understand. Append only, since databases have the earlier ones. Each is applied once, in a
 * transaction. An `ADD COLUMN` with a constant default, or without one, rewrites no row.
 */
export const MIGRATIONS: readonly ((types: ColumnTypes) => string)[] = [];

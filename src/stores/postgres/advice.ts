/**
 * PgBouncer uses 08P01 for every refusal. These messages mean that it has no server, or no room for
 * a client, now: nothing was sent.
 */
export const BUSY_POOLER =
  /server_login_retry|query_wait_timeout|client_login_timeout|cannot connect to server|max_\w*client_conn/;

/**
 * SQLSTATEs that waiting does not change: not supported (0A), wrong data or state (2, 3, 42, 44), a
 * trigger (P0).
 */
const LASTING = /^(0A|2|3|42|44|P0)/;

/** True for an error that needs the operator, as {@link adviceOn} takes it. */
export function isLasting(state: string, message: string): boolean {
  return LASTING.test(state) || adviceOn(state, message) !== '';
}

/**
 * Advice on an error of PostgreSQL, as sentences to follow its message; '' if there is none.
 * @param state the SQLSTATE; '' for an error that does not come from a server.
 */
export function adviceOn(state: string, message = ''): string {
  if (state === '42501') {
    return '. Run plant-store migrate as a user who may create tables, and grant this one the rights that docs/postgresql.md lists.';
  }
  if (state === '3F000') return '. Create the schema first, or name another in the search_path of this user.';
  if (state === '3D000') return '. Create the database first: the service makes its tables, but no database.';
  if (state.startsWith('28')) return '. Correct the user or password in DATABASE_URL, PGPASSFILE or PGPASSWORD.';
  // PgBouncer's, for a wrong password and a missing database too.
  if (state === '08P01' && !BUSY_POOLER.test(message))
    return '. A pooler says this: correct DATABASE_URL, or the settings of the pooler.';
  if (state === '25006') {
    return '. This server takes no writes, as a standby does: name the primary in DATABASE_URL.';
  }
  return '';
}

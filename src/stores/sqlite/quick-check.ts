/**
 * A program of its own, since it reads a whole file in one go: prints 'ok', or the damage of the
 * SQLite file that its argument names (https://sqlite.org/pragma.html#pragma_quick_check).
 */
import { constants, setPriority } from 'node:os';
import { SqliteConnection } from './driver.ts';
import { messageOf } from '../../errors.ts';

// Not before Node.js has started, which would take minutes on a busy machine.
setPriority(constants.priority.PRIORITY_LOW);
const connection = new SqliteConnection(process.argv[2], { readonly: true, fileMustExist: true });
try {
  console.log(connection.pragma('quick_check(1)', { simple: true }));
} catch (error) {
  console.log(messageOf(error));
} finally {
  connection.close();
}

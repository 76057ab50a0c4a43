import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The uppermost of a path's folders, itself included, that users other than its owner and group
 * cannot enter; undefined when they can enter all of them.
 */
function closedFolder(path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : closedFolder(parent);
  // S_IXOTH, inode(7).
  return above ?? ((statSync(path).mode & 0o001) === 0 ? path : undefined);
}

/**
 * Ends a command that root runs in a folder other users cannot enter: PostgreSQL refuses to run as
 * root, so it is started as another user, who could not reach its program.
 */
export function requireOpenFolders(): void {
  const closed = process.getuid?.() === 0 ? closedFolder(process.cwd()) : undefined;
  if (closed === undefined) return;
  console.error(
    `The tests start PostgreSQL as another user than root, who cannot enter ${closed}. Run them as a user who is not root, or let others enter: chmod o+x ${closed}`,
  );
  process.exit(1);
}

import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The uppermost of a path's folders, itself included, that users other than its owner and group cannot enter; undefined when they can enter all
 * of them.
 */
export function closedFolder(path: string): string | undefined {
  const parent = dirname(path);
  const above = parent === path ? undefined : closedFolder(parent);
  // S_IXOTH, inode(7).
  return above ?? ((statSync(path).mode & 0o001) === 0 ? path : undefined);
}

/**
 * Ends a command of root's that would start PostgreSQL, which refuses to run as root, as a user who cannot reach its program: all tests with a
 * database would wait for it in vain.
 */
export function requireOpenFolders(): void {
  const closed = process.getuid?.() === 0 ? closedFolder(process.cwd()) : undefined;
  if (closed === undefined) return;
  console.error(
    `The tests start PostgreSQL and a container as other users than root, who cannot enter ${closed}. Run them as a user who is not root, or let others enter: chmod o+x ${closed}`,
  );
  process.exit(1);
}

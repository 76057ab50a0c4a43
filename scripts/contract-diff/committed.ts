import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { basename } from 'node:path/posix';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '../../src/errors.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

/**
 * Lays out a commit in a temporary folder, because a contract may be split over files, and calls
 * `use` with the place of `file` in it. The repository, its index and its working tree stay as they
 * are.
 * @throws OperatorError when the commit, or the file in it, does not exist.
 */
export async function withCommitted<T>(file: URL, ref: string, use: (file: URL) => Promise<T>): Promise<T> {
  const folder = dirname(fileURLToPath(file));
  const name = basename(file.pathname);
  const [top = '', prefix = ''] = (await git(folder, ['rev-parse', '--show-toplevel', '--show-prefix'])).split('\n');
  const commit = await commitOf(folder, ref);
  if (commit === undefined)
    throw new OperatorError(`There is no git ref '${ref}' here. Fetch it, or name another branch, tag or commit.`);
  return inTemporaryFolder('diff', async (temporary) => {
    const index = { GIT_INDEX_FILE: join(temporary, 'index') };
    await git(top, ['read-tree', commit], index);
    await git(top, ['checkout-index', '--all', `--prefix=${join(temporary, 'tree')}/`], index);
    const committed = join(temporary, 'tree', prefix, name);
    await access(committed).catch(() => {
      throw new OperatorError(`The git ref '${ref}' has no ${name}.`);
    });
    return use(pathToFileURL(committed));
  });
}

/** A commit to compare with, and what it is for people. */
export interface Base {
  readonly ref: string;
  readonly meaning: string;
}

/**
 * What a contract is compared with when no ref is named: `main`, or that of `origin` in a clone of
 * another branch; on `main` itself the last tag, or the commit before when there is none.
 * @throws OperatorError outside of a repository.
 */
export async function baseOf(file: URL): Promise<Base> {
  const folder = dirname(fileURLToPath(file));
  await git(folder, ['rev-parse', '--git-dir']);
  const branch = await git(folder, ['branch', '--show-current']);
  if (branch !== 'main') {
    const isOnlyRemote =
      (await commitOf(folder, 'main')) === undefined && (await commitOf(folder, 'origin/main')) !== undefined;
    return { ref: isOnlyRemote ? 'origin/main' : 'main', meaning: 'the branch main' };
  }
  const tag = await git(folder, ['describe', '--tags', '--abbrev=0']).catch(() => undefined);
  if (tag !== undefined) return { ref: tag, meaning: 'the last tag' };
  return (await commitOf(folder, 'HEAD~1')) === undefined
    ? { ref: 'HEAD', meaning: 'the only commit' }
    : { ref: 'HEAD~1', meaning: 'the commit before the last, since there is no tag' };
}

/** The commit that a ref names; undefined for none. */
function commitOf(folder: string, ref: string): Promise<string | undefined> {
  return git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]).catch(
    () => undefined,
  );
}

async function git(cwd: string, args: readonly string[], variables = {}): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd, env: { ...process.env, ...variables } });
    return stdout.trimEnd();
  } catch (cause) {
    const reason = messageOf(cause)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ');
    throw new OperatorError(`The contract cannot be compared with a commit: ${reason}`, { cause });
  }
}

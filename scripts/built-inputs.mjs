/** The files that a build was made of, so that nothing is built when none has changed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
/** Says what the last build made, and from which inputs. */
const STAMP = new URL('dist/.inputs.json', ROOT);

/** Folders and files of the project, beside those of each package, that a build reads. */
const INPUTS = ['src', 'generated', 'scripts/build.mjs', 'package.json', 'package-lock.json', 'LICENSE'].concat(
  'tsconfig.json',
  'tsconfig.build.json',
);
const PACKAGE_INPUTS = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

/** A hash of the names and contents of all inputs. */
export function hashInputs() {
  const packages = readdirSync(new URL('packages', ROOT)).sort();
  const inputs = [...INPUTS, ...packages.flatMap((name) => PACKAGE_INPUTS.map((input) => `packages/${name}/${input}`))];
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesIn)) {
    const content = readFileSync(new URL(file, ROOT));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * True if these parts were built from inputs with this hash, and are still there.
 * @param {string} hash
 * @param {'service' | 'all'} parts
 */
export function isBuilt(hash, parts) {
  if (!existsSync(STAMP)) return false;
  const stamp = JSON.parse(readFileSync(STAMP, 'utf8'));
  return (
    stamp.hash === hash &&
    [parts, 'all'].includes(stamp.parts) &&
    stamp.folders.every((folder) => existsSync(new URL(folder, ROOT)))
  );
}

/**
 * Notes what was built from inputs with this hash, and the folders that have it.
 * @param {{ hash: string, parts: 'service' | 'all', folders: readonly string[] }} stamp
 */
export function noteBuild(stamp) {
  writeFileSync(STAMP, JSON.stringify(stamp));
}

/**
 * The file itself, or all files below a folder in a fixed order; empty for a missing input.
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  const stats = statSync(fileURLToPath(new URL(path, ROOT)), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(new URL(path, ROOT))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { setUp } from './set-up.ts';

/** npm has the binaries of Node.js, with their headers, as packages, one for each platform. */
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url));

/** A Node.js that was fetched from npm. */
export interface NodePackage {
  readonly version: string;
  /** The program. */
  readonly node: string;
  /** The variables with which npm and all that it starts run on this Node.js. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Fetches a Node.js, unless it was fetched before.
 * @param range a version, or a major version, which means its newest.
 * @throws Error when the registry does not have it or cannot be reached.
 */
export async function fetchNode(range: string): Promise<NodePackage> {
  const version = (await versionsOf(range)).at(-1);
  if (version === undefined) throw new Error(`${PACKAGE} has no version ${range}.`);
  const prefix = join(CACHE, version);
  const folder = join(prefix, 'node_modules', PACKAGE);
  const bin = join(folder, 'bin');
  if (!existsSync(bin)) {
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    await setUp(fileURLToPath(new URL('../..', import.meta.url)), 'npm', [
      ...['install', '--prefix', prefix, ...options, `${PACKAGE}@${version}`],
    ]);
  }
  const PATH = [bin, process.env['PATH']].join(delimiter);
  return { version, node: join(bin, 'node'), env: { ...process.env, PATH, npm_config_nodedir: folder } };
}

/** The newest Node.js that is called LTS: half a year after the first version of its line. */
export async function fetchNewestLts(): Promise<NodePackage> {
  const majors = new Set((await versionsOf('')).map((version) => parseInt(version)).filter((major) => major % 2 === 0));
  for (const major of [...majors].sort((a, b) => b - a)) {
    const node = await fetchNode(String(major));
    const { stdout } = await startProcess(node.node, ['--print', 'process.release.lts !== undefined']).ended;
    if (stdout.trim() === 'true') return node;
  }
  throw new Error(`${PACKAGE} has no LTS version.`);
}

/** The versions in a range, ascending. */
async function versionsOf(range: string): Promise<string[]> {
  const query = range === '' ? ['view', PACKAGE, 'versions'] : ['view', `${PACKAGE}@${range}`, 'version'];
  const { code, stdout, stderr } = await startProcess('npm', [
    ...query,
    '--json',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ]).ended;
  if (code !== 0) throw new Error(`npm ${query.join(' ')}: ${stderr.trim().split('\n')[0] ?? ''}`);
  // npm writes a list, or a single version as a text.
  const versions = [JSON.parse(stdout === '' ? '[]' : stdout) as string | string[]].flat();
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

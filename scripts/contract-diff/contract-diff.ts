import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError, loadContract, type Contract } from 'openapi-exact';
import { OperatorError } from '../../src/errors.ts';
import { changesBeyondOasdiff } from './beyond-oasdiff.ts';
import { withCommitted } from './committed.ts';
import { oasdiffChanges, type Change } from './oasdiff.ts';
import { unjudgedChanges } from './unjudged.ts';

/** The effect of a change on clients, and whether its version number allows it. */
export interface ContractDiff {
  readonly report: string;
  readonly passed: boolean;
}

/**
 * Compares the contract in a folder with the same file in a commit.
 * @throws OperatorError with one line when either cannot be read.
 */
export async function contractDiff(folder: URL, ref: string): Promise<ContractDiff> {
  const file = new URL('openapi.yaml', folder);
  return withCommitted(file, ref, (committed) => compareContracts(committed, file, ref));
}

/** Compares two contracts; `ref` says in messages where the first comes from. */
export async function compareContracts(from: URL, to: URL, ref: string): Promise<ContractDiff> {
  const base = await loadContract(from).catch((error: unknown) => {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new OperatorError(`In '${ref}': ${error.message}`, { cause: error });
  });
  const revision = await loadContract(to);
  if (isDeepStrictEqual(base.document, revision.document)) {
    return { report: `Nothing changed in openapi.yaml since '${ref}'.`, passed: true };
  }
  const known = await oasdiffChanges(fileURLToPath(from), fileURLToPath(to));
  const found = [...known, ...changesBeyondOasdiff(base, revision)];
  const changes = [...found, ...unjudgedChanges(base, revision, found)];
  return verdict(ref, changes, version(base, `openapi.yaml of '${ref}'`), version(revision, 'openapi.yaml'));
}

interface Version {
  readonly text: string;
  readonly major: number;
}

function version({ document }: Contract, name: string): Version {
  const text = String(document.info['version']);
  const [, major] = /^(\d+)\.\d+\.\d+/.exec(text) ?? [];
  if (major === undefined) throw new OperatorError(`info.version in ${name} must be like 1.2.3, not '${text}'.`);
  return { text, major: Number(major) };
}

function verdict(ref: string, changes: readonly Change[], from: Version, to: Version): ContractDiff {
  const breaking = lines(changes.filter((change) => change.breaking));
  const compatible = lines(changes.filter((change) => !change.breaking));
  const raised = to.major > from.major;
  const passed = breaking.length === 0 || raised;
  const parts = [`Changes of openapi.yaml since '${ref}' (info.version ${from.text} → ${to.text}):`];
  if (breaking.length > 0) parts.push(`\nThese break clients:\n${breaking.join('\n')}`);
  if (compatible.length > 0) parts.push(`\nThese do not:\n${compatible.join('\n')}`);
  if (changes.length === 0) parts.push('\nNone that a client can notice.');
  else if (breaking.length === 0) parts.push('\nNo client breaks.');
  else if (raised) parts.push('\nThe major version was raised, so clients are warned.');
  else parts.push(`\nRaise info.version to ${from.major + 1}.0.0, or take back what breaks clients.`);
  return { report: parts.join('\n'), passed };
}

function lines(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ place, text }) => `  ${place}: ${text}`))].sort();
}

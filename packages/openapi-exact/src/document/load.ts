import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { messageOf, OperatorError } from '../errors.ts';
import { bundle, type Bundle } from './bundle.ts';
import { checkDocument } from './check.ts';
import { openCircles } from './circles.ts';
import { findBesideBigints } from '../numbers/bigint.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { readOperations, type Contract, type Operation, type ReadContract } from './operations.ts';
import { displayName, Sources } from './sources.ts';
import { convertToVersion31 } from './version-3.0.ts';

export type { Contract, Operation };

/**
 * Reads a contract and the files it refers to.
 * @throws ContractError with a line for each refusal, when it does not parse or is not a usable
 * OpenAPI 3.0 or 3.1 document; OperatorError when it cannot be read.
 */
export async function loadContract(file: URL): Promise<Contract> {
  const { sources, contract, refusals } = await readContract(file);
  if (contract === undefined || refusals.length > 0) throw await sources.error(refusals);
  return contract;
}

/**
 * Reads a contract and collects its refusals.
 * @throws ContractError when it does not parse; OperatorError when it cannot be read.
 */
export async function readContract(file: URL): Promise<ReadContract & { readonly isCompilable: boolean }> {
  const sources = new Sources(fileURLToPath(file));
  const bundled = await readBundle(sources);
  const { refusals, isReadable } = checkDocument(bundled);
  if (!isReadable) return { sources, contract: undefined, refusals, isCompilable: false };
  // Every part that the service reads was checked.
  const checked = bundled.document as OpenApiDocument;
  convertToVersion31(checked, bundled);
  const circles = openCircles(checked, bundled, sources);
  if (circles.length === 0) findBesideBigints(checked, bundled.nodes.get('schema') ?? []);
  const read = readOperations(checked, sources);
  // A mistake in a schema would be reported as one more when it is compiled.
  const isCompilable = refusals.length + circles.length === 0;
  return { ...read, refusals: [...refusals, ...circles, ...read.refusals], isCompilable };
}

async function readBundle(sources: Sources): Promise<Bundle> {
  let bundled: Bundle;
  try {
    bundled = await bundle(sources, (path) => readFile(path, 'utf8'));
  } catch (cause) {
    const message = `The contract ${displayName(sources.root)} cannot be read: ${messageOf(cause)}`;
    throw new OperatorError(message, { cause });
  }
  if (bundled.parseError !== undefined) throw await sources.syntaxError(bundled.parseError);
  return bundled;
}

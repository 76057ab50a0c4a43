import { described } from '../errors/described.ts';
import type { Contract } from '../document/read-contract.ts';
import { readContract } from '../document/read-contract.ts';
import { isObject } from '../schema/openapi-document.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { Refusal } from '../errors/refusal.ts';
import { COMPILED_AT_START, servingRefusals } from './prepare.ts';

/**
 * Reads a contract, in YAML or JSON, and the files it refers to.
 * @throws ContractError with a line for each place that cannot be served, with file, line and
 * column; ConfigurationError when the file cannot be read, or is not the URL of a file.
 * @example const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 */
export async function loadContract(file: URL): Promise<Contract> {
  requireFile(file);
  const { sources, contract, refusals, isCompilable } = await readContract(file);
  if (contract !== undefined && refusals.length === 0) return contract;
  throw await sources.error([
    ...refusals,
    ...(contract === undefined ? [] : await otherRefusals(contract, isCompilable)),
  ]);
}

/**
 * The other places that cannot be served: all mistakes are told at once. Schemas are compiled in
 * the contracts in which a start compiles them.
 */
function otherRefusals(contract: Contract, isCompilable: boolean): Promise<readonly Refusal[]> {
  return servingRefusals(contract, isCompilable && contract.operations.length <= COMPILED_AT_START);
}

/** @throws ConfigurationError unless it is the URL of a file. */
function requireFile(file: unknown): void {
  // Node's URLs may come from another realm, where `instanceof URL` is false.
  const isUrl = isObject(file) && typeof file['href'] === 'string';
  if (isUrl && file['protocol'] === 'file:') return;
  const given = described(isUrl ? file['href'] : file);
  const name = typeof file === 'string' ? file : 'openapi.yaml';
  throw new ConfigurationError(
    `loadContract takes the URL of a file, as in new URL('${name}', import.meta.url), not ${given}.`,
  );
}

import type { ContractSource } from '../document/contract-source.ts';
import type { Contract } from '../document/read-contract.ts';
import { readContract } from '../document/read-contract.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { COMPILED_AT_START, servingDiagnostics } from './prepare.ts';

/**
 * Reads a contract, in YAML or JSON, and the files it refers to.
 * @param source a file by its path or URL, a text, or the document as an object.
 * @throws ContractError with a line for each place that cannot be served, with file, line and
 * column, or with a JSON pointer (RFC 6901) for a document; ConfigurationError when the file cannot
 * be read, or the source is something else.
 * @example const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 */
export async function loadContract(source: ContractSource): Promise<Contract> {
  const { sources, contract, diagnostics, isCompilable } = await readContract(source);
  if (contract !== undefined && diagnostics.length === 0) return contract;
  throw await sources.error([
    ...diagnostics,
    ...(contract === undefined ? [] : await otherDiagnostics(contract, isCompilable)),
  ]);
}

/**
 * The other diagnostics: all mistakes are reported at once. Schemas are compiled in the contracts
 * in which a start compiles them.
 */
function otherDiagnostics(contract: Contract, isCompilable: boolean): Promise<readonly Diagnostic[]> {
  return servingDiagnostics(contract, isCompilable && contract.operations.length <= COMPILED_AT_START);
}

import type { ContractSource } from '../document/contract-source.ts';
import type { Contract } from '../document/read-contract.ts';
import { readContract } from '../document/read-contract.ts';
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
  const { sources, contract, diagnostics, isCompilable, rest } = await readContract(source);
  if (contract !== undefined && diagnostics.length === 0) return contract;
  // All mistakes are reported at once. Schemas are compiled where a start compiles them.
  const isCompiled = isCompilable && contract !== undefined && contract.operations.length <= COMPILED_AT_START;
  throw await sources.error([...diagnostics, ...(await servingDiagnostics({ contract, rest }, isCompiled))]);
}

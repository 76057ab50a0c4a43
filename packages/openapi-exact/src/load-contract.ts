import type { Contract } from './document/load.ts';
import { readContract } from './document/load.ts';
import { servingRefusals } from './prepare.ts';

/**
 * Reads a contract, in YAML or JSON, and the files it refers to.
 * @throws ContractError with a line for each place that cannot be served, with file, line and
 * column; ConfigurationError when the file cannot be read.
 * @example const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 */
export async function loadContract(file: URL): Promise<Contract> {
  const { sources, contract, refusals, isCompilable } = await readContract(file);
  if (contract !== undefined && refusals.length === 0) return contract;
  // A contract that is refused anyhow is worth the time to find all mistakes at once.
  const others = contract === undefined ? [] : servingRefusals(contract, isCompilable);
  throw await sources.error([...refusals, ...others]);
}

import type { Contract } from '../../src/contract/document/load.ts';
import { prepareOperations, type PreparedOperation } from '../../src/contract/prepare.ts';

const prepared = new WeakMap<Contract, Promise<readonly PreparedOperation[]>>();

/** The operations of a contract, prepared once for all services of a test file. */
export function preparedOf(contract: Contract): Promise<readonly PreparedOperation[]> {
  const operations = prepared.get(contract) ?? prepareOperations(contract);
  prepared.set(contract, operations);
  return operations;
}

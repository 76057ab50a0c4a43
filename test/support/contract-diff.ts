/** The comparison of contracts, for tests of many small contracts. */
export { compareContracts, contractDiff, type ContractDiff } from '../../scripts/contract-diff/contract-diff.ts';

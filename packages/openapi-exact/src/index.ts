export { loadContract, type Contract, type Operation } from './document/load.ts';
export { ContractError } from './document/refusal.ts';
export type { Checks, Handler, Handlers, OperationRequest, OperationResponse } from './types.ts';

export { createClient, type ClientOptions } from './client/create-client.ts';
export {
  ClientError,
  ConnectionError,
  ResponseError,
  TimeoutError,
  type ErrorDescription,
  type Outcome,
} from './client/client-error.ts';
export type { ContractShapes } from './client/shape.ts';
export type { Client } from './client/types.ts';

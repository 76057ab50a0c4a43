export { createClient } from './client/create-client.ts';
export type { ClientOptions } from './client/client-options.ts';
export {
  ClientError,
  ConnectionError,
  ResponseError,
  TimeoutError,
  type ErrorDescription,
  type Outcome,
} from './client/client-error.ts';
export type { ClientCredentials } from './client/credentials.ts';
export type { AnyFormats, Format } from './schema/codec.ts';
export type { Formats } from './schema/formats.ts';
export type { HeaderValues } from './client/headers.ts';
export type { OnRequest, OnResponse, RequestContext, ResponseContext } from './client/hooks.ts';
export type { DeclaredError } from './client/response-types.ts';
export type { ContractShapes } from './client/shape.ts';
export type { Client } from './client/types.ts';

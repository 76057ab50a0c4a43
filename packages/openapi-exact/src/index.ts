export type { BodyLimitOptions, BodyLimits } from './bodies/limits.ts';
export type { PartItem } from './http/part-item.ts';
export type { Part } from './bodies/part-readers.ts';
export type { ContractSource, ContractText } from './document/contract-source.ts';
export type { Contract, Operation } from './document/read-contract.ts';
export { ContractError, type Problem } from './errors/diagnostic.ts';
export type { ErrorBody, ErrorContent } from './server/error-body.ts';
export {
  ConfigurationError,
  RequestError,
  type Reason,
  type RequestErrorOptions,
  type RequestFault,
} from './errors/errors.ts';
export type { ServerSentEvent } from './response/event-stream.ts';
export type { AnyFormats, Format } from './schema/codec.ts';
export type { Formats } from './schema/formats.ts';
export { contractMiddleware } from './server/middleware.ts';
export type { Change, Failure, MiddlewareOptions, Unhandled } from './server/options.ts';
export { exactRequest, validated } from './server/validated.ts';
export { loadContract } from './server/load-contract.ts';
export type { ResponseValue } from './response/respond.ts';
export { InvalidResponseError } from './errors/invalid-response-error.ts';
export type { Guard } from './security/authenticate.ts';
export { passportVerifier } from './security/passport-verifier.ts';
export type { Credentials } from './security/credential-kinds.ts';
export type { Principal, Verifier, Verifiers } from './security/verifier.ts';
export type { Bytes, Checks, Handler, Handlers, OperationRequest, OperationResponse } from './types.ts';

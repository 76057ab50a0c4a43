/**
 * The entry point for tools that need messages of a contract, such as tests and mocks: valid
 * requests and responses of each operation, and invalid ones. A reader and a validator other than
 * the server's make them, so that they can test the server. A tool depends on the exact version of
 * this package, since any release may change what stands here.
 */
export { exactValue } from './examples/exact-value.ts';
export { handlerValue, operationOf, responseValue, verifiersOf } from './examples/example-handlers.ts';
export {
  ExampleMessages,
  schemaOf,
  type Argument,
  type Credential,
  type ExampleRequest,
  type ExampleResponse,
} from './examples/example-messages.ts';
export { FlatSchemas } from './examples/flat-schemas.ts';
export { validValue } from './examples/generate-value.ts';
export { changes, invalidRequests, wrongArguments, type InvalidRequest } from './examples/invalid-requests.ts';
export { Schemas, type Fault } from './examples/json-schema.ts';
export {
  arrayOf,
  canonical,
  difference,
  isNumber,
  isObject,
  mapJson,
  objectOf,
  parseJson,
  textOf,
  writeJson,
  type Json,
  type JsonObject,
} from './examples/json-value.ts';
export type { MessageBody, Part } from './examples/message-body.ts';
export { isJson, writeParameter } from './examples/parameter-style.ts';
export { boundaryValues } from './examples/scalar-values.ts';
export {
  atPointer,
  examplesOf,
  METHODS,
  operationAt,
  operationKeys,
  readDocuments,
  resolve,
  schemeName,
  sentMethod,
  type OperationKey,
  type SourceDocument,
} from './examples/source-document.ts';
export { writeRequest, type WireRequest } from './examples/wire-request.ts';

/** The message generator of `npm run test:contracts`, for tests of the product. */
export { boundaryValues } from '../../packages/openapi-exact/test/conformance/scalar-values.ts';
export {
  ExampleMessages,
  schemaOf,
  type Argument,
} from '../../packages/openapi-exact/test/conformance/example-messages.ts';
export { FlatSchemas } from '../../packages/openapi-exact/test/conformance/flat-schemas.ts';
export { validValue } from '../../packages/openapi-exact/test/conformance/generate-value.ts';
export { changes, wrongArguments } from '../../packages/openapi-exact/test/conformance/invalid-requests.ts';
export * from '../../packages/openapi-exact/test/conformance/json-value.ts';
export { isJson, writeParameter } from '../../packages/openapi-exact/test/conformance/parameter-style.ts';
export {
  examplesOf,
  operationAt,
  readDocuments,
  type Place,
  type SourceDocument,
} from '../../packages/openapi-exact/test/conformance/source-document.ts';
export { writeRequest } from '../../packages/openapi-exact/test/conformance/wire-request.ts';

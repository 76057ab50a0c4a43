/** The message generator of `npm run test:contracts`, for tests of the product. */
export { boundaryValues } from '../../scripts/contracts/scalar-values.ts';
export { ExampleMessages, schemaOf, type Argument } from '../../scripts/contracts/example-messages.ts';
export { FlatSchemas } from '../../scripts/contracts/flat-schemas.ts';
export { validValue } from '../../scripts/contracts/generate-value.ts';
export { changes, wrongArguments } from '../../scripts/contracts/invalid-requests.ts';
export * from '../../scripts/contracts/json-value.ts';
export { isJson, writeParameter } from '../../scripts/contracts/parameter-style.ts';
export {
  examplesOf,
  operationAt,
  readDocuments,
  type Place,
  type SourceDocument,
} from '../../scripts/contracts/source-document.ts';
export { writeRequest } from '../../scripts/contracts/wire-request.ts';

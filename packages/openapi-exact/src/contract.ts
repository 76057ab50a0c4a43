/**
 * The entry point for tools that read contracts, such as the command line: a contract with its
 * sources, facts about its schemas, and what the server would refuse. A tool depends on the exact
 * version of this package, since any release may change what stands here.
 */
export { PartReaders } from './bodies/part-readers.ts';
export { asParameter } from './bodies/form-reader.ts';
export { querystringReader } from './bodies/querystring.ts';
export type {
  ApiKeyLocation,
  ContractShapes,
  MediaShape,
  MediaShapes,
  OperationShape,
  ParameterStyle,
  PartShape,
  PartShapes,
  QuerystringShape,
  SecuritySchemeShape,
  Shape,
} from './client/shape.ts';
export { unknownFormat, type GeneratedFormats } from './schema/format-options.ts';
export type { Bundle, DocumentNode } from './document/bundle.ts';
export type { ContractSource } from './document/contract-source.ts';
export { didYouMean, nearest } from './errors/nearest.ts';
export { IGNORED_HEADERS } from './document/operation-parameters.ts';
export { declaredStatus, type Querystring } from './document/operations.ts';
export { templateNames } from './document/path-template.ts';
export { basePathsOf } from './document/servers.ts';
export { readContract, type Contract, type Operation } from './document/read-contract.ts';
export { displayName } from './document/sources.ts';
export { isOfType } from './document/version-3.0.ts';
export { ConfigurationError, messageOf } from './errors/errors.ts';
export { faultSentence } from './errors/messages.ts';
export type { Fault } from './errors/limits.ts';
export { ContractError, problemLine, type Problem, type Diagnostic } from './errors/diagnostic.ts';
export { bodyKind, declaredType, essenceOf, isRange, sequenceFormat } from './http/media-type.ts';
export { isIdempotent } from './http/methods.ts';
export { partKind, typeOfValue, type PartKind } from './http/part-kind.ts';
export { PartWriter, joined, withBoundary } from './http/written-part.ts';
export { MAX_VALUES, ValueCount } from './json/value-count.ts';
export { GROUPS, LOCATIONS, serialisationOf } from './parameters/locations.ts';
export { FormFields } from './parameters/form-fields.ts';
export { cookiePairs, formPairs } from './parameters/pairs.ts';
export { SpreadField } from './parameters/spread-field.ts';
export { TextField } from './parameters/text-field.ts';
export { ValueReader } from './parameters/value-reader.ts';
export { isJsonText, valueSchema } from './parameters/value-schema.ts';
export { alternatives, namedProperties, typesOf } from './schema/alternatives.ts';
export { isBigint } from './schema/bigint.ts';
export { schemasOfDocument } from './schema/document-schemas.ts';
export { FormatError, formatCodecs, type AnyFormats, type Codecs } from './schema/codec.ts';
export { placesOf, type ContractPlaces, type MixedFormats } from './schema/contract-places.ts';
export type { Place } from './schema/places.ts';
export { Heirs } from './schema/heirs.ts';
export { allParts, describesArray, partAt, type ItemPart, type ItemParts } from './schema/item-parts.ts';
export { mergedSchemas } from './schema/merged-schemas.ts';
export { HiddenProperties, type Direction } from './schema/hidden-properties.ts';
export {
  FIXED_METHODS,
  fieldsOf,
  isObject,
  isQuerystring,
  isReference,
  isSchema,
  isVersion30,
  isVersion32,
  lastKey,
  list,
  own,
  pointerTokens,
  resolve,
  targetOf,
  type MediaTypeObject,
  type OpenApiDocument,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
  type SecurityScheme,
} from './schema/openapi-document.ts';
export { operationsOf } from './schema/path-item.ts';
export { expressionOf, isExpression, schemasOfPatterns } from './schema/pattern.ts';
export { circularGroups } from './schema/same-value.ts';
export {
  ALL_KEYWORDS,
  MATCHING_VALUE,
  SAME_VALUE,
  childrenOf,
  partsOf,
  reachableSchemas,
  reaching,
} from './schema/schema-graph.ts';
export { sequenceOf, type Sequence } from './schema/sequence.ts';
export { SchemasWithDefaults } from './schema/schemas-with-defaults.ts';
export { FIELDS, FIELDS_SINCE_32, type Field, type Kind } from './schema/structure.ts';
export { credentialsOf } from './security/schemes.ts';
export { ownFailures } from './server/own-failures.ts';
export { COMPILED_AT_START, servingDiagnostics } from './server/prepare.ts';
export { errorBodyDiagnostics } from './server/review-error-bodies.ts';
export { discriminatedBy, toldApartBy } from './schema/choices.ts';
export { DecodedResponses } from './response/decode-response.ts';
export { ContractValidator } from './validation/express-openapi-validator/contract-validator.ts';
export { customFormats, isOfCustomFormat, NO_FORMATS, type CustomFormats } from './schema/custom-formats.ts';
export {
  assertedTypes,
  triedAlternatives,
} from './validation/express-openapi-validator/rewriting/many-alternatives.ts';
export { bodyName, requestSchemas, responseName, type Message, type MessageDirection } from './bodies/message-parts.ts';

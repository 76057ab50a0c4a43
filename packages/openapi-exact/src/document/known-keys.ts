import type { Kind } from './structure.ts';

const PARAMETER =
  'description required deprecated allowEmptyValue style explode allowReserved schema example examples content';

/** The keys that OpenAPI 3.0 and 3.1 define for objects of a kind; for schemas, JSON Schema's too. */
export const KNOWN_KEYS: Partial<Record<Kind, { readonly of: string; readonly keys: readonly string[] }>> = {
  document: known(
    'an OpenAPI document',
    'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
  ),
  server: known('a server', 'url description variables'),
  components: known(
    'components',
    'schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems',
  ),
  pathItem: known('a path', '$ref summary description get put post delete options head patch trace servers parameters'),
  operation: known(
    'an operation',
    'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
  ),
  parameter: known('a parameter', `name in ${PARAMETER}`),
  header: known('a header', PARAMETER),
  requestBody: known('a request body', 'description content required'),
  mediaType: known('a media type', 'schema example examples encoding'),
  encoding: known('an encoding', 'contentType headers style explode allowReserved'),
  response: known('a response', 'description headers content links'),
  securityScheme: known('a security scheme', 'type description name in scheme bearerFormat flows openIdConnectUrl'),
  schema: known(
    'a schema',
    '$ref $id $schema $anchor $comment $defs $dynamicRef $dynamicAnchor $vocabulary definitions ' +
      'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern ' +
      'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired ' +
      'allOf anyOf oneOf not if then else dependentSchemas prefixItems items contains properties patternProperties ' +
      'additionalProperties propertyNames unevaluatedItems unevaluatedProperties format contentEncoding ' +
      'contentMediaType contentSchema title description default deprecated readOnly writeOnly examples example ' +
      'nullable discriminator xml externalDocs',
  ),
};

function known(of: string, keys: string): { of: string; keys: readonly string[] } {
  return { of, keys: keys.split(' ') };
}

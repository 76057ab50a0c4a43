import type { Kind } from 'openapi-exact/contract';

const PARAMETER_KEYS =
  'description required deprecated allowEmptyValue style explode allowReserved schema example examples content';

/** The keys that OpenAPI 3.0 and 3.1, and for schemas JSON Schema, define for a kind of object. */
export const KNOWN_KEYS: Partial<Record<Kind, { readonly of: string; readonly keys: readonly string[] }>> = {
  document: knownKeys(
    'an OpenAPI document',
    'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
  ),
  server: knownKeys('a server', 'url description variables'),
  components: knownKeys(
    'components',
    'schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems',
  ),
  pathItem: knownKeys(
    'a path',
    '$ref summary description get put post delete options head patch trace servers parameters',
  ),
  operation: knownKeys(
    'an operation',
    'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
  ),
  parameter: knownKeys('a parameter', `name in ${PARAMETER_KEYS}`),
  header: knownKeys('a header', PARAMETER_KEYS),
  requestBody: knownKeys('a request body', 'description content required'),
  mediaType: knownKeys('a media type', 'schema example examples encoding'),
  encoding: knownKeys('an encoding', 'contentType headers style explode allowReserved'),
  response: knownKeys('a response', 'description headers content links'),
  securityScheme: knownKeys('a security scheme', 'type description name in scheme bearerFormat flows openIdConnectUrl'),
  schema: knownKeys(
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

function knownKeys(of: string, keys: string): { of: string; keys: readonly string[] } {
  return { of, keys: keys.split(' ') };
}

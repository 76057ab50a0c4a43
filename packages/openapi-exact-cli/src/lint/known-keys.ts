import type { Kind } from 'openapi-exact/contract';

const PARAMETER_KEYS =
  'description required deprecated allowEmptyValue style explode allowReserved schema example examples content';

/** The keys of a kind of object. */
interface KnownKeys {
  /** The kind, with its article. */
  readonly of: string;
  readonly keys: readonly string[];
  /** Those that OpenAPI 3.2 has added. */
  readonly since32: readonly string[];
}

/** The keys that OpenAPI, and for schemas JSON Schema, define for a kind of object. */
export const KNOWN_KEYS: Partial<Record<Kind, KnownKeys>> = {
  document: knownKeys(
    'an OpenAPI document',
    'openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs',
    '$self',
  ),
  server: knownKeys('a server', 'url description variables', 'name'),
  components: knownKeys(
    'components',
    'schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems',
    'mediaTypes',
  ),
  pathItem: knownKeys(
    'a path',
    '$ref summary description get put post delete options head patch trace servers parameters',
    'query additionalOperations',
  ),
  operation: knownKeys(
    'an operation',
    'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers',
  ),
  parameter: knownKeys('a parameter', `name in ${PARAMETER_KEYS}`),
  header: knownKeys('a header', PARAMETER_KEYS),
  requestBody: knownKeys('a request body', 'description content required'),
  mediaType: knownKeys('a media type', 'schema example examples encoding', 'itemSchema prefixEncoding itemEncoding'),
  encoding: knownKeys(
    'an encoding',
    'contentType headers style explode allowReserved',
    'encoding prefixEncoding itemEncoding',
  ),
  response: knownKeys('a response', 'description headers content links', 'summary'),
  securityScheme: knownKeys(
    'a security scheme',
    'type description name in scheme bearerFormat flows openIdConnectUrl',
    'deprecated oauth2MetadataUrl',
  ),
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

function knownKeys(of: string, keys: string, since32 = ''): KnownKeys {
  return { of, keys: keys.split(' '), since32: since32 === '' ? [] : since32.split(' ') };
}

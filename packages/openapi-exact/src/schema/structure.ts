/** The kinds of objects that a document consists of, as the specification of OpenAPI names them. */
export type Kind =
  | 'document'
  | 'server'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'requestBody'
  | 'mediaType'
  | 'encoding'
  | 'response'
  | 'callback'
  | 'example'
  | 'link'
  | 'header'
  | 'securityScheme'
  | 'schema';

/** A field that holds objects of one kind. */
export interface Field {
  readonly kind: Kind;
  /** Whether it holds one object, a list, or a map. */
  readonly shape: 'one' | 'list' | 'map';
  /** A map whose keys that begin with `x-` are extensions. */
  readonly isExtensible?: boolean;
  /** Nothing in it is served, so no mistake in it is a reason to refuse. */
  readonly isUnserved?: boolean;
}

const single = (kind: Kind): Field => ({ kind, shape: 'one' });
const list = (kind: Kind): Field => ({ kind, shape: 'list' });
const map = (kind: Kind): Field => ({ kind, shape: 'map' });

const CONTENT = { content: map('mediaType') };
const EXAMPLE_MAP: Field = { ...map('example'), isUnserved: true };
const LINKS: Field = { ...map('link'), isUnserved: true };
const CALLBACKS: Field = { ...map('callback'), isUnserved: true };
const PARAMETER_FIELDS = { schema: single('schema'), ...CONTENT, examples: EXAMPLE_MAP };
const OPERATION = single('operation');
/** Encodings by name, by position, and of all further positions. */
const ENCODINGS = { encoding: map('encoding'), prefixEncoding: list('encoding'), itemEncoding: single('encoding') };

/** The fields of each kind that hold further objects. All other fields are data. */
export const FIELDS: Readonly<Record<Kind, Readonly<Record<string, Field>>>> = {
  document: {
    servers: list('server'),
    paths: { ...map('pathItem'), isExtensible: true },
    components: single('components'),
    webhooks: { ...map('pathItem'), isUnserved: true },
  },
  server: {},
  components: {
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: EXAMPLE_MAP,
    requestBodies: map('requestBody'),
    headers: map('header'),
    securitySchemes: map('securityScheme'),
    links: LINKS,
    callbacks: CALLBACKS,
    pathItems: map('pathItem'),
    mediaTypes: map('mediaType'),
  },
  pathItem: {
    servers: list('server'),
    parameters: list('parameter'),
    get: OPERATION,
    put: OPERATION,
    post: OPERATION,
    delete: OPERATION,
    options: OPERATION,
    head: OPERATION,
    patch: OPERATION,
    trace: OPERATION,
    query: OPERATION,
    additionalOperations: map('operation'),
  },
  operation: {
    servers: list('server'),
    parameters: list('parameter'),
    requestBody: single('requestBody'),
    responses: { ...map('response'), isExtensible: true },
    callbacks: CALLBACKS,
  },
  parameter: PARAMETER_FIELDS,
  requestBody: CONTENT,
  mediaType: {
    schema: single('schema'),
    itemSchema: single('schema'),
    // The same in OpenAPI 3.0 and 3.1.
    'x-itemSchema': single('schema'),
    ...ENCODINGS,
    examples: EXAMPLE_MAP,
  },
  encoding: { headers: map('header'), ...ENCODINGS },
  response: { headers: map('header'), ...CONTENT, links: LINKS },
  // A callback is a map of path items by expression.
  callback: {},
  example: {},
  link: {},
  header: PARAMETER_FIELDS,
  securityScheme: {},
  schema: {
    properties: map('schema'),
    patternProperties: map('schema'),
    $defs: map('schema'),
    definitions: map('schema'),
    dependentSchemas: map('schema'),
    items: single('schema'),
    additionalProperties: single('schema'),
    unevaluatedProperties: single('schema'),
    unevaluatedItems: single('schema'),
    contains: single('schema'),
    propertyNames: single('schema'),
    contentSchema: single('schema'),
    not: single('schema'),
    if: single('schema'),
    then: single('schema'),
    else: single('schema'),
    allOf: list('schema'),
    anyOf: list('schema'),
    oneOf: list('schema'),
    prefixItems: list('schema'),
  },
};

/** The fields that OpenAPI 3.2 has added: in a document of an earlier version, they are unknown. */
export const FIELDS_SINCE_32: Partial<Record<Kind, readonly string[]>> = {
  components: ['mediaTypes'],
  pathItem: ['query', 'additionalOperations'],
  mediaType: ['itemSchema', 'prefixEncoding', 'itemEncoding'],
  encoding: ['encoding', 'prefixEncoding', 'itemEncoding'],
};

/** The field of `components` for each kind that a reference may replace. */
export const COMPONENTS: Partial<Record<Kind, string>> = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
};

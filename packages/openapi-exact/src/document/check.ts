import { stringify } from 'lossless-json';
import type { Bundle, DocumentNode, Versioned } from './bundle.ts';
import { FIXED_METHODS, isObject, isVersion30, isVersion31, isVersion32 } from '../schema/openapi-document.ts';
import { didYouMean, nearest } from '../errors/nearest.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import type { Kind } from '../schema/structure.ts';

const SCHEMA_TYPES: readonly string[] = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];
/** Names of types in programming languages and databases. */
const TYPE_SYNONYMS: Readonly<Record<string, string>> = {
  ...{ int: 'integer', int32: 'integer', int64: 'integer', long: 'integer', bigint: 'integer' },
  ...{ float: 'number', double: 'number', decimal: 'number' },
  ...{ bool: 'boolean', str: 'string', text: 'string', date: 'string', datetime: 'string', uuid: 'string' },
  ...{ list: 'array', set: 'array', dict: 'object', map: 'object', hash: 'object', file: 'string', none: 'null' },
};
const LOCATION_NAMES: readonly unknown[] = ['path', 'query', 'header', 'cookie'];
const LOCATION_NAMES_32: readonly unknown[] = ['path', 'query', 'querystring', 'header', 'cookie'];

/** The types of some keywords. */
type KeywordTypes = Readonly<Record<string, { readonly what: string; readonly is: (value: unknown) => boolean }>>;

/** The types of the keywords of a schema that assert something. */
const SCHEMA_KEYWORDS: KeywordTypes = {
  ...keywords('a number', isNumberValue, 'minimum maximum multipleOf minLength maxLength minItems maxItems'),
  ...keywords('a number', isNumberValue, 'minProperties maxProperties minContains maxContains'),
  // OpenAPI 3.0 has booleans.
  ...keywords('a number', (value) => isNumberValue(value) || isBoolean(value), 'exclusiveMinimum exclusiveMaximum'),
  ...keywords('a string', isText, 'pattern format $ref'),
  ...keywords('a list', Array.isArray, 'enum'),
  ...keywords('a list of strings', isTextList, 'required'),
  ...keywords(
    'an object of lists of strings',
    (value) => isObject(value) && Object.values(value).every(isTextList),
    'dependentRequired',
  ),
  ...keywords('true or false', isBoolean, 'uniqueItems readOnly writeOnly nullable'),
};
const BOOLEAN_KEYWORDS = keywords('true or false', isBoolean, 'required explode allowEmptyValue');

const KEYWORD_TYPES: Partial<Record<Kind, { readonly of: string; readonly types: KeywordTypes }>> = {
  schema: { of: 'a schema', types: SCHEMA_KEYWORDS },
  parameter: { of: 'a parameter', types: BOOLEAN_KEYWORDS },
  header: { of: 'a header', types: BOOLEAN_KEYWORDS },
  requestBody: { of: 'a request body', types: BOOLEAN_KEYWORDS },
  encoding: { of: 'an encoding', types: BOOLEAN_KEYWORDS },
  securityScheme: { of: 'a security scheme', types: keywords('a string', isText, 'scheme name') },
};

/** A mistake in an object: its key there, and the reason. */
type KeyMistake = readonly [key: string, reason: string];

/** The mistake of an object of each kind; undefined for none. */
const CHECKS: Partial<Record<Kind, (node: DocumentNode, version: Versioned) => KeyMistake | undefined>> = {
  document: ({ openapi, $self, info, paths, webhooks, components }) => {
    if (isVersion32({ openapi }) && $self !== undefined && !isSelf($self))
      return ['$self', '$self must be a URI without a fragment, such as https://example.com/openapi.'];
    if (info !== undefined && !isObject(info)) return ['info', 'info must be an object with title and version.'];
    // OpenAPI 3.1 and 3.2 ask for one of the three; 3.0 knows no webhooks, and asks for paths.
    const otherRoots = isVersion30({ openapi }) ? [] : [webhooks, components];
    return [paths, ...otherRoots].some(isObject)
      ? undefined
      : ['paths', 'paths must be an object with a path for each key.'];
  },
  server: ({ url }) => (typeof url === 'string' ? undefined : ['url', 'a server must have a url.']),
  pathItem: ({ additionalOperations }, version) =>
    isVersion32(version) && isObject(additionalOperations) ? wrongMethod(additionalOperations) : undefined,
  operation: (node, version) => {
    const { operationId, responses } = node;
    if (operationId !== undefined && typeof operationId !== 'string') {
      return ['operationId', 'an operationId must be a string.'];
    }
    // Since OpenAPI 3.1, `responses` is optional: then any response without a body is allowed.
    const isMisspelt = Object.keys(node).some((key) => nearest(key, ['responses']) !== undefined);
    return responses === undefined && (isVersion30(version) || isMisspelt)
      ? ['responses', 'an operation must have responses: declare each status, a range such as 4XX, or default.']
      : undefined;
  },
  parameter: ({ name, in: location, style, schema, content }, version) => {
    if (location === 'cookie' && style === 'cookie' && !isVersion32(version))
      return ['style', 'the style cookie is one of OpenAPI 3.2: use form, or write openapi: 3.2.0.'];
    if (location === 'querystring' && isVersion32(version)) return wrongQuerystring({ schema, content });
    if (typeof name !== 'string') return ['name', 'a parameter must have a name.'];
    const locations = isVersion32(version) ? LOCATION_NAMES_32 : LOCATION_NAMES;
    if (!locations.includes(location)) {
      const found = location === undefined ? 'nowhere' : JSON.stringify(location);
      const others = locations.slice(0, -1).join(', ');
      return ['in', `the parameter '${name}' must be in ${others} or cookie, not ${found}.`];
    }
    if (isObject(content)) return wrongMediaType(content);
    return schema === undefined ? ['name', `the parameter '${name}' must have a schema.`] : undefined;
  },
  header: ({ content }) => (isObject(content) ? wrongMediaType(content) : undefined),
  requestBody: ({ content }) =>
    isObject(content)
      ? wrongMediaType(content)
      : ['content', 'a request body must have content: a media type for each key.'],
  response: ({ content }) => (isObject(content) ? wrongMediaType(content) : undefined),
  securityScheme: ({ type }) =>
    typeof type === 'string' ? undefined : ['type', 'a security scheme must have a type.'],
  schema: ({ type }) => {
    const wrong =
      type === undefined ? undefined : [type].flat().find((name) => !SCHEMA_TYPES.some((known) => known === name));
    if (wrong === undefined) return undefined;
    return [
      'type',
      `${stringify(wrong)} is not a type of JSON Schema: use ${SCHEMA_TYPES.join(', ')}.${meantType(wrong)}`,
    ];
  },
};

/** The type that a wrong name probably means, as a question; '' if that is unknown. */
function meantType(wrong: unknown): string {
  if (typeof wrong !== 'string') return '';
  const name = wrong.toLowerCase();
  const synonym = Object.hasOwn(TYPE_SYNONYMS, name) ? TYPE_SYNONYMS[name] : undefined;
  return synonym === undefined ? didYouMean(wrong, SCHEMA_TYPES) : ` Did you mean ${synonym}?`;
}

/** The diagnostics of a check. */
interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the operations can be read: only assertions of schemas are wrong, if anything is. */
  readonly isReadable: boolean;
}

/** Checks every served object of a document. */
export function checkDocument({ document, nodes, diagnostics, versionOf }: Bundle): Checked {
  if (!isObject(document)) {
    const reason = 'a contract must be an object with openapi, info and paths.';
    return { diagnostics: [{ node: {}, key: undefined, reason }], isReadable: false };
  }
  const unknown = versionDiagnostic(document);
  if (unknown !== undefined) return { diagnostics: [unknown], isReadable: false };
  const found = [...nodes].flatMap(([kind, ofKind]) =>
    ofKind.flatMap((node) =>
      [CHECKS[kind]?.(node, versionOf(node)), ...wrongKeywords(kind, node)]
        .filter((mistake) => mistake !== undefined)
        .map(([key, reason]) => ({ kind, node, key, reason })),
    ),
  );
  return {
    // A missing key has no place: the object has.
    diagnostics: [
      ...diagnostics,
      ...found.map((diagnostic) => ({
        ...diagnostic,
        key: diagnostic.key in diagnostic.node ? diagnostic.key : undefined,
      })),
    ],
    isReadable: diagnostics.length === 0 && found.every(({ kind, key }) => kind === 'schema' && key !== '$ref'),
  };
}

/** The keywords that have another type; one without a value counts as left out. */
function wrongKeywords(kind: Kind, node: DocumentNode): KeyMistake[] {
  const { of = '', types = {} } = KEYWORD_TYPES[kind] ?? {};
  return Object.entries(node).flatMap(([key, value]): KeyMistake[] => {
    const type = Object.hasOwn(types, key) ? types[key] : undefined;
    if (type === undefined || value === null || type.is(value)) return [];
    return [[key, `${key} of ${of} must be ${type.what}, not ${stringify(value)}.`]];
  });
}

function isSelf(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('#') && URL.canParse(value, 'https://example.com/');
}

/** A whole query has a media type, and no style. */
function wrongQuerystring({ schema, content }: DocumentNode): KeyMistake | undefined {
  if (schema !== undefined) return ['schema', 'a parameter in querystring has content, not a schema with a style.'];
  return isObject(content) && Object.keys(content).length === 1
    ? wrongMediaType(content)
    : ['content', 'a parameter in querystring must have content, with one media type.'];
}

/** Other methods than those with a field of their own, which are tokens (RFC 9110, section 9.1). */
function wrongMethod(operations: DocumentNode): KeyMistake | undefined {
  for (const method of Object.keys(operations)) {
    const fixed = FIXED_METHODS.find((known) => known === method.toUpperCase());
    const wrong =
      fixed === undefined
        ? /^[\w!#$%&'*+.^`|~-]+$/.test(method)
          ? undefined
          : `${stringify(method)} is not a method: write one such as LINK.`
        : `${method} has a field of its own: write ${fixed.toLowerCase()} beside additionalOperations.`;
    if (wrong !== undefined) return ['additionalOperations', wrong];
  }
  return undefined;
}

/** Authors also write `*`, and several media types with commas between them. */
function wrongMediaType(content: DocumentNode): KeyMistake | undefined {
  const wrong = Object.keys(content).find((key) => !/^(?:\*|[!-~]+\/[!-~][ -~]*)$/.test(key));
  if (wrong === undefined) return undefined;
  return ['content', `${stringify(wrong)} is not a media type: write one such as application/json.`];
}

function keywords(what: string, is: (value: unknown) => boolean, names: string): KeywordTypes {
  return Object.fromEntries(names.split(' ').map((name) => [name, { what, is }]));
}

function isNumberValue(value: unknown): boolean {
  return Number.isFinite(value) || typeof value === 'bigint';
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function versionDiagnostic(document: DocumentNode): Diagnostic | undefined {
  const { openapi, swagger } = document;
  if (isVersion30(document) || isVersion31(document) || isVersion32(document)) return undefined;
  const key = ['openapi', 'swagger'].find((name) => name in document);
  const found = openapi ?? swagger;
  const version = found === undefined ? 'nothing' : JSON.stringify(found);
  const reason = `openapi must be a version 3.0.x, 3.1.x or 3.2.x, such as 3.2.0, not ${version}: convert the contract.`;
  return { node: document, key, reason };
}

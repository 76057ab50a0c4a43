import { stringify } from 'lossless-json';
import {
  FIELDS_SINCE_32,
  IGNORED_HEADERS,
  didYouMean,
  fieldsOf,
  isObject,
  isOfType,
  isVersion30,
  isVersion32,
  own,
  partsOf,
  targetOf,
  type Bundle,
  type OpenApiDocument,
  type Diagnostic,
} from 'openapi-exact/contract';

/** Assertions by the types that they are about; they hold for values of other types. */
const ASSERTIONS: readonly (readonly [types: readonly string[], keywords: readonly string[]])[] = [
  [
    ['integer', 'number'],
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ],
  [['string'], ['minLength', 'maxLength', 'pattern']],
  [['array'], ['minItems', 'maxItems', 'uniqueItems']],
  [['object'], ['minProperties', 'maxProperties', 'required']],
];

/** Formats that are checked, or that tell what a handler gets. */
const CHECKED_FORMATS = [
  ...['int32', 'int64', 'uint64', 'float', 'double', 'byte', 'binary', 'date', 'date-time', 'time', 'duration'],
  ...['email', 'hostname', 'ipv4', 'ipv6', 'json-pointer', 'password', 'regex', 'uri', 'uri-reference', 'uuid'],
];

/** Other formats of the OpenAPI Format Registry, which resemble one of those. */
const OTHER_FORMATS = ['uint16', 'uint32', 'iri', 'iri-reference'];

/**
 * Warnings of what OpenAPI ignores where it stands: misspelt formats, assertions on another type,
 * and mappings of discriminators that lead nowhere.
 * @param document one of OpenAPI 3.1; schemas of 3.0 were converted.
 */
export function ignoredValues(
  document: OpenApiDocument,
  schemas: readonly Record<string, unknown>[],
): readonly Diagnostic[] {
  return schemas.flatMap((schema) => [
    ...misspeltFormat(schema),
    ...idleAssertions(schema),
    ...lostMappings(document, schema),
  ]);
}

/** Warns of values without effect in a document, before its conversion to OpenAPI 3.1. */
export function ignoredBeforeConversion({ document, nodes, versionOf }: Bundle): readonly Diagnostic[] {
  const schemas = nodes.get('schema') ?? [];
  // Safe: the whole document was checked.
  const checked = document as OpenApiDocument;
  return [
    ...ignoredDefaults(schemas),
    ...(isVersion30(checked) ? idleNullables(checked, schemas) : ignoredNullables(schemas)),
    ...ignoredHeaders(nodes.get('parameter') ?? []),
    ...laterFields({ nodes, versionOf }),
  ];
}

/** Warnings of fields of OpenAPI 3.2 in files of an earlier version. */
function laterFields({ nodes, versionOf }: Pick<Bundle, 'nodes' | 'versionOf'>): readonly Diagnostic[] {
  return [...nodes].flatMap(([kind, ofKind]) =>
    (FIELDS_SINCE_32[kind] ?? []).flatMap((key) =>
      ofKind
        .filter((node) => key in node && !isVersion32(versionOf(node)))
        .map((node) => ({
          node,
          key,
          reason: `${key} is a field of OpenAPI 3.2 and is ignored: write openapi: 3.2.0.`,
        })),
    ),
  );
}

/** Warnings of header parameters that OpenAPI ignores. */
function ignoredHeaders(parameters: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return parameters.flatMap((node) => {
    const { name, in: location } = node;
    if (location !== 'header' || typeof name !== 'string' || !IGNORED_HEADERS.includes(name.toLowerCase())) return [];
    const reason = `OpenAPI ignores the header parameter ${name}: declare media types under content, and credentials as a security scheme.`;
    return [{ node, key: 'name', reason }];
  });
}

/** Warnings of `nullable` in a document of OpenAPI 3.0 where null is not allowed all the same. */
function idleNullables(document: OpenApiDocument, schemas: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return schemas.flatMap((node) => {
    const { nullable, type } = node;
    if (nullable !== true) return [];
    const others = partsOf(document, node).filter((part) => part !== node);
    const isRefused = others.some((part) => part.type !== undefined && part['nullable'] !== true);
    const isAlone = ['allOf', 'oneOf', 'anyOf'].every((key) => node[key] === undefined);
    if (!isRefused && (typeof type === 'string' || isAlone)) return [];
    const reason = isRefused
      ? 'nullable allows no null here, which allOf refuses: write anyOf with the schema and { type: object, nullable: true, enum: [null] }.'
      : 'nullable has no effect without type beside it (OpenAPI 3.0.3): write type, or leave nullable out.';
    return [{ node, key: 'nullable', reason }];
  });
}

/** Warnings of `nullable` in a document of OpenAPI 3.1 or later. */
function ignoredNullables(schemas: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return schemas.flatMap((schema) => {
    if (schema['nullable'] !== true) return [];
    const type = typeof schema['type'] === 'string' ? schema['type'] : 'object';
    const reason = `nullable is not a keyword of OpenAPI 3.1 and later, and is ignored: write type: [${type}, 'null'].`;
    return [{ node: schema, key: 'nullable', reason }];
  });
}

/** Warnings of defaults of another type than their schemas, before they are left out. */
function ignoredDefaults(schemas: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return schemas.flatMap((schema) => {
    const { type, default: preset } = schema;
    // Authors write null for no default.
    if (preset === undefined || preset === null || isOfType(preset, schema)) return [];
    const reason = `the default ${stringify(preset)} is not of the type ${[type].flat().join(' or ')} and is ignored.`;
    return [{ node: schema, key: 'default', reason }];
  });
}

function misspeltFormat(schema: Record<string, unknown>): Diagnostic[] {
  const { format } = schema;
  if (typeof format !== 'string' || [...CHECKED_FORMATS, ...OTHER_FORMATS].includes(format)) return [];
  const question = didYouMean(format, CHECKED_FORMATS);
  if (question === '') return [];
  return [{ node: schema, key: 'format', reason: `the format ${format} is not known and is ignored.${question}` }];
}

function idleAssertions(node: Record<string, unknown>): Diagnostic[] {
  const { type } = node;
  if (type === undefined) return [];
  const declared = [type].flat().filter((name) => typeof name === 'string');
  return ASSERTIONS.filter(([types]) => !types.some((name) => declared.includes(name)))
    .flatMap(([, keywords]) => keywords.filter((keyword) => node[keyword] !== undefined && node[keyword] !== false))
    .map((key) => ({ node, key, reason: `${key} says nothing of the type ${declared.join(' or ')} and is ignored.` }));
}

function lostMappings(document: OpenApiDocument, { discriminator }: Record<string, unknown>): Diagnostic[] {
  const mapping = own(discriminator, 'mapping');
  const { defaultMapping } = fieldsOf(discriminator);
  const fallback =
    isObject(discriminator) && defaultMapping !== undefined ? [{ node: discriminator, key: 'defaultMapping' }] : [];
  const named = isObject(mapping) ? Object.keys(mapping).map((key) => ({ node: mapping, key })) : [];
  return [...named, ...fallback].flatMap(({ node, key }): Diagnostic[] => {
    const target = node[key];
    if (typeof target !== 'string' || leadsSomewhere(document, target)) return [];
    const names = Object.keys(document.components?.schemas ?? {});
    const question = didYouMean(target.slice(target.lastIndexOf('/') + 1), names);
    const what = node === mapping ? `the mapping of ${key}` : key;
    const reason = `${what} to ${target} leads nowhere and is ignored.${question}`;
    return [{ node, key, reason }];
  });
}

function leadsSomewhere(document: OpenApiDocument, $ref: string): boolean {
  try {
    return $ref.startsWith('#') && isObject(targetOf(document, $ref));
  } catch {
    return false;
  }
}

import {
  fieldsOf,
  isObject,
  isReference,
  isVersion32,
  partsOf,
  resolve,
  sequenceFormat,
  sequenceOf,
  typesOf,
  type Bundle,
  type Contract,
  type Diagnostic,
  type MediaTypeObject,
  type OpenApiDocument,
} from 'openapi-exact/contract';

/** Objects with `content`; a stream of items is a whole body. */
const WITH_CONTENT = ['requestBody', 'response', 'parameter', 'header'] as const;

/** What an array cannot be checked for while its items pass, of which it keeps none. */
const OF_WHOLE_ARRAYS = [
  ...['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems', 'enum', 'const'],
  ...['oneOf', 'anyOf', 'not', 'if'],
];

/** Warnings of each `itemSchema` of a body that has no items, before it is left out. */
export function idleItemSchemas({
  document,
  nodes,
  versionOf,
}: Pick<Bundle, 'document' | 'nodes' | 'versionOf'>): readonly Diagnostic[] {
  const found = WITH_CONTENT.flatMap((kind) => (nodes.get(kind) ?? []).map((node) => ({ kind, node })));
  const warnings = found.flatMap(({ kind, node: { content } }) =>
    Object.entries(fieldsOf(content)).flatMap(([type, written]): Diagnostic[] => {
      // Safe: the whole document was checked.
      const node = isReference(written) ? resolve<object>(document as OpenApiDocument, written) : written;
      if (!isObject(node)) return [];
      const is32 = isVersion32(versionOf(node));
      const key = is32 ? 'itemSchema' : 'x-itemSchema';
      const reason = key in node ? idleReason(kind, type, key) : undefined;
      return [
        ...(reason === undefined ? [] : [{ node, key, reason }]),
        ...(is32 && 'x-itemSchema' in node
          ? [{ node, key: 'x-itemSchema', reason: 'x-itemSchema is ignored in OpenAPI 3.2: write itemSchema.' }]
          : []),
      ];
    }),
  );
  return distinct(warnings);
}

function idleReason(kind: (typeof WITH_CONTENT)[number], type: string, key: string): string | undefined {
  if (kind === 'parameter' || kind === 'header')
    return `${key} has no effect in a ${kind}: only bodies are streams of items.`;
  if (sequenceFormat(type) !== undefined) return undefined;
  return `${key} has no effect on ${type}, which is not a sequence of items such as application/jsonl and text/event-stream: write schema.`;
}

/** Warnings of what the schema of a stream says and no item can be checked for. */
export function uncheckedStreams({ document, operations }: Contract): readonly Diagnostic[] {
  const contents = operations.flatMap(({ requestBody, responses }) => [
    ...Object.entries(requestBody?.content ?? {}),
    ...Object.values(responses).flatMap(({ content }) => Object.entries(content ?? {})),
  ]);
  return distinct(contents.flatMap(([type, mediaType]) => uncheckedKeywords(document, type, mediaType)));
}

function uncheckedKeywords(document: OpenApiDocument, type: string, mediaType: MediaTypeObject): Diagnostic[] {
  if (sequenceOf(document, type, mediaType) === undefined) return [];
  return partsOf(document, mediaType.schema).flatMap((node) => {
    const types = typesOf(node);
    if (types.length > 0 && !types.includes('array')) {
      const reason = `the schema of ${type} is that of the array of its items, and the type ${types.join(' or ')} is ignored: describe an item by itemSchema.`;
      return [{ node, key: 'type', reason }];
    }
    return OF_WHOLE_ARRAYS.filter((key) => node[key] !== undefined && node[key] !== false).map((key) => ({
      node,
      key,
      reason: `${key} is not checked in ${type}, whose items are validated one by one as they pass: of the array, minItems, maxItems, prefixItems and items hold.`,
    }));
  });
}

/** Each warning once: several messages may refer to one media type. */
function distinct(warnings: readonly Diagnostic[]): readonly Diagnostic[] {
  return warnings.filter(
    ({ node, key }, index) => warnings.findIndex((known) => known.node === node && known.key === key) === index,
  );
}

import {
  FIELDS,
  Heirs,
  bodyKind,
  discriminatedBy,
  fieldsOf,
  isObject,
  isReference,
  list,
  own,
  pointerTokens,
  resolve,
  type Contract,
  type Kind,
  type OpenApiDocument,
  type PathItem,
  type Schema,
} from 'openapi-exact/contract';
import { stringify } from 'lossless-json';
import { copyFields } from './copy-fields.ts';
import { WHOLE_QUERY } from './whole-queries.ts';
import type { OperationNames } from './operation-names.ts';

/** The fields of objects that types do not need. */
const DROPPED = ['links', 'callbacks', 'pathItems', 'mediaTypes', '$defs', 'definitions'];

/**
 * A copy of a contract's document that openapi-typescript can read: OpenAPI 3.1, each operation
 * with its id, callbacks as webhooks, headers without references, discriminators as constants of
 * the alternatives. Examples become texts for comments; extensions are dropped.
 * @param names of its operations.
 */
export function typedDocument({ document, operations }: Contract, names: OperationNames): OpenApiDocument {
  const ids = new Map<unknown, string>(operations.map(({ definition, id }) => [definition, id]));
  const heirs = new Heirs(document);

  const typedCopy = (kind: Kind, node: unknown, owner?: Schema): unknown => {
    if (!isObject(node)) return node;
    if (kind === 'header' && isReference(node)) return typedCopy(kind, resolve(document, node));
    const sound = Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !(DROPPED.includes(key) || key.startsWith('x-')))
        .map(([key, child]): [string, unknown] => [
          key,
          Object.hasOwn(FIELDS[kind], key) ? withoutLost(document, child) : child,
        ])
        .filter(([key, child]) => key !== '$ref' || !leadsNowhere(document, child)),
    );
    const copy = copyFields(kind, sound, (child, field, key) =>
      typedCopy(field.kind, child, kind === 'schema' && key === 'allOf' ? node : undefined),
    );
    if (kind === 'schema') return withHeirs(heirs, withValues(document, node, copy), owner);
    const { operationId: _, examples: __, example, ...fields } = copy;
    const commented = example === undefined ? fields : { ...fields, example: commentText(example) };
    if (kind === 'parameter') return withQuery(commented);
    if (kind !== 'operation') return commented;
    const id = ids.get(node);
    return id === undefined ? commented : { ...commented, operationId: names.nameOf(id) };
  };

  const webhooks = Object.entries({ ...document.webhooks, ...callbacksOf({ document, operations }) })
    .filter(([, item]) => !isLost(document, item))
    .map(([name, item]): [string, PathItem] => [
      name,
      typedCopy('pathItem', resolve<PathItem>(document, item)) as PathItem,
    ]);
  // A copy of an OpenAPI document is one.
  const { webhooks: _, ...copy } = typedCopy('document', document) as OpenApiDocument;
  return { ...copy, openapi: '3.1.0', ...(webhooks.length > 0 && { webhooks: Object.fromEntries(webhooks) }) };
}

/** A parameter that is the whole query as one in it. */
function withQuery(parameter: Record<string, unknown>): Record<string, unknown> {
  if (parameter['in'] !== 'querystring') return parameter;
  const { content, ...fields } = parameter;
  const [[mediaType, media] = ['', {}]] = Object.entries(fieldsOf(content));
  // A form is read as its schema, as JSON is.
  const described = bodyKind(mediaType) === 'form' ? { schema: own(media, 'schema') ?? {} } : { content };
  return { ...fields, in: 'query', name: WHOLE_QUERY, ...described };
}

/** The requests of callbacks, since openapi-typescript has no types for them. */
function callbacksOf({ document, operations }: Pick<Contract, 'document' | 'operations'>): Record<string, PathItem> {
  const items = operations.flatMap(({ id, definition: { callbacks = {} } }): [string, PathItem][] =>
    Object.entries(callbacks)
      .filter(([, callback]) => !isLost(document, callback))
      .flatMap(([name, callback]) =>
        Object.entries(resolve(document, callback))
          .filter(([expression]) => !expression.startsWith('x-'))
          .map(([expression, item]): [string, PathItem] => [`${id}/${name}/${expression}`, item]),
      ),
  );
  return Object.fromEntries(items);
}

/** The alternatives of a discriminator, each with the values that select it. */
function withValues(document: OpenApiDocument, original: Schema, copy: Schema): Schema {
  const { discriminator: _, ...keywords } = copy;
  const discriminated = discriminatedBy(document, original);
  if (discriminated === undefined) return keywords;
  const values = new Map(discriminated.alternatives.map((alternative) => [alternative.schema, alternative.values]));
  const selectedAlternatives = (key: string): unknown[] =>
    list(original[key]).map((alternative, index) => {
      const typed = list(copy[key])[index];
      // Its property may be missing, or have any value that the others do not have.
      if (alternative === discriminated.fallback) return typed;
      // An alternative of the document is an object.
      const names = values.get(alternative as Schema) ?? [];
      return { allOf: [typed, { properties: { [discriminated.property]: { enum: names } } }] };
    });
  const choices = ['oneOf', 'anyOf']
    .filter((key) => key in copy)
    .map((key): [string, unknown[]] => [key, selectedAlternatives(key)]);
  return { ...keywords, ...Object.fromEntries(choices) };
}

/**
 * A schema that is a choice of a base and its heirs where it refers to the base.
 * @param owner the schema of whose allOf this one is.
 */
function withHeirs(heirs: Heirs, schema: Schema, owner: Schema | undefined): Schema {
  const { $ref, ...keywords } = schema;
  if ($ref === undefined || (owner !== undefined && heirs.isHeir(owner))) return schema;
  const pointers = heirs.heirsOf($ref);
  if (pointers.length === 0) return schema;
  const choice = [$ref, ...pointers].map((reference) => ({ $ref: reference }));
  return 'anyOf' in keywords ? { allOf: [keywords, { anyOf: choice }] } : { ...keywords, anyOf: choice };
}

/** A value for a comment. */
export function commentText(value: unknown): string {
  return typeof value === 'string' ? value : (stringify(value, undefined, 2) ?? '');
}

/** An object, list or map without references that lead nowhere, as what is not served may have. */
function withoutLost(document: OpenApiDocument, child: unknown): unknown {
  if (isLost(document, child)) return {};
  if (Array.isArray(child)) return child.filter((item) => !isLost(document, item));
  if (!isObject(child) || !Object.values(child).some((member) => isLost(document, member))) return child;
  return Object.fromEntries(Object.entries(child).filter(([, member]) => !isLost(document, member)));
}

function isLost(document: OpenApiDocument, value: unknown): boolean {
  return isReference(value) && leadsNowhere(document, value.$ref);
}

function leadsNowhere(document: OpenApiDocument, $ref: unknown): boolean {
  return (
    typeof $ref !== 'string' ||
    !$ref.startsWith('#/') ||
    pointerTokens($ref.slice(1)).reduce<unknown>(own, document) === undefined
  );
}

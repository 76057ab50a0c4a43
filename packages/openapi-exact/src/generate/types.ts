import { createConfig } from '@redocly/openapi-core';
import openapiTypescript, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../document/load.ts';
import {
  isObject,
  isReference,
  own,
  pointerTokens,
  resolve,
  type OpenApiDocument,
  type PathItem,
  type Schema,
} from '../document/openapi-document.ts';
import { partsOf } from '../document/schema-graph.ts';
import { isBigint } from '../numbers/bigint.ts';
import { credentialsOf } from '../security/schemes.ts';
import { discriminatedBy } from '../validation/choices.ts';
import { BANNER } from './banner.ts';
import { directedDocument } from './directed-document.ts';
import { withAliases } from './recursive-types.ts';
import { restatedDocument } from './restated-document.ts';

/** The parts of a document whose operations are not served from there. */
const NOT_SERVED = ['webhooks', 'callbacks', 'pathItems'];

/**
 * The TypeScript types of a contract as the service reads it. int64 becomes `bigint`, which holds
 * it exactly; `operations` holds the operations that are served, `securitySchemes` the kinds of
 * credentials, `webhooks` the requests that the service sends, those of callbacks included.
 */
export async function contractTypes(contract: Contract): Promise<string> {
  // Safe: the contract was checked, and both types describe documents of OpenAPI 3.1.
  const document = directedDocument(restatedDocument(typed(withCallbacks(contract)))) as unknown as OpenAPI3;
  const nodes = await openapiTypescript(document, {
    transform: asBigint,
    emptyObjectsUnknown: true,
    // Responses may be without them, and defaults inside alternatives are not filled in.
    defaultNonNullable: false,
    silent: true,
    // The contract was checked: no rule of the linter may refuse it.
    redocly: await createConfig({ rules: {} }),
  });
  return BANNER + astToString([...withAliases(nodes)]) + securitySchemes(contract.document);
}

/** Adds callbacks to the webhooks, since openapi-typescript has no types for them. */
function withCallbacks(contract: Contract): Contract {
  const { document, operations } = contract;
  const pathItems = operations.flatMap(({ id, definition: { callbacks = {} } }): [string, PathItem][] =>
    Object.entries(callbacks)
      .filter(([name, callback]) => !leadsNowhere(document, name, callback, false))
      .flatMap(([name, callback]) =>
        Object.entries(resolve(document, callback))
          .filter(([expression]) => !expression.startsWith('x-'))
          .map(([expression, item]): [string, PathItem] => [`${id}/${name}/${expression}`, item]),
      ),
  );
  if (pathItems.length === 0) return contract;
  const webhooks = { ...document.webhooks, ...Object.fromEntries<PathItem>(pathItems) };
  return { ...contract, document: { ...document, webhooks } };
}

/**
 * Copies the document, gives each operation its id, and drops what openapi-typescript misreads: an
 * int64's `enum` of numbers, a discriminator by anything but texts, and references in data, such as
 * examples, which lead nowhere.
 */
function typed({ document, operations }: Contract): OpenApiDocument {
  const ids = new Map<unknown, string>(operations.map(({ definition, id }) => [definition, id]));
  const copy = (value: unknown, isServed: boolean, isMapping = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, isServed));
    // A literal type of such a number would be rounded by TypeScript too.
    if (typeof value === 'bigint') return Number(value);
    if (!isObject(value)) return value;
    if (isCombinedBigint(document, value)) return BIGINT;
    const id = ids.get(value);
    const entries = Object.entries(value)
      .filter(
        ([key]) =>
          !(isNumber([value['type']].flat().find(isNumber)) && isBigint(value) && (key === 'enum' || key === 'const')),
      )
      .filter(([key]) => key !== 'discriminator' || !isTypedChoice(document, value))
      .filter(([key, child]) => !leadsNowhere(document, key, child, isMapping))
      .filter(([key]) => isServed || key !== 'operationId' || !('responses' in value))
      .map(([key, child]) => [
        key,
        copy(child, isServed && !NOT_SERVED.includes(key), key === 'mapping' && 'propertyName' in value),
      ]);
    return { ...Object.fromEntries(entries), ...(id !== undefined && { operationId: id }) };
  };
  // A copy of an OpenAPI document is one.
  return copy(document, true) as OpenApiDocument;
}

const BIGINT = { type: 'integer', format: 'int64' };

/** True where the parts of a schema together say `bigint`: a number beside one is never. */
function isCombinedBigint(document: OpenApiDocument, value: Record<string, unknown>): boolean {
  // Properties may have these names.
  if (!Array.isArray(value['allOf']) && !(isReference(value) && 'format' in value)) return false;
  const parts = partsOf(document, value);
  const isInteger = parts.some(({ type }) => type === 'integer');
  return parts.some((part) => isBigint(part) && (part.type === undefined ? isInteger : isNumber(part.type)));
}

function isNumber(type: unknown): boolean {
  return type === 'integer' || type === 'number';
}

/** True for a schema that is chosen by booleans or numbers. */
function isTypedChoice(document: OpenApiDocument, schema: Record<string, unknown>): boolean {
  const values = discriminatedBy(document, schema)?.alternatives.flatMap((one) => one.values) ?? [];
  return values.some((value) => typeof value !== 'string');
}

/** Whether a part of an object refers to nothing in the document, as data may. */
function leadsNowhere(document: OpenApiDocument, key: string, part: unknown, isInMapping: boolean): boolean {
  if (isReference(part)) return leadsNowhere(document, '$ref', part.$ref, false);
  if (typeof part !== 'string' || !(isInMapping || ['$ref', 'externalValue'].includes(key))) return false;
  return !part.startsWith('#/') || pointerTokens(part.slice(1)).reduce<unknown>(own, document) === undefined;
}

/** A list of types is split by openapi-typescript, so that each is seen alone. */
function asBigint(schema: SchemaObject | boolean): ts.TypeNode | undefined {
  // The contract was checked: a schema has the keywords of one.
  return typeof schema === 'object' && isNumber((schema as Schema).type) && isBigint(schema as Schema)
    ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
    : undefined;
}

/** The interface `securitySchemes`, for `Verifiers` in src/contract/security/verifier.ts. */
function securitySchemes(document: OpenApiDocument): string {
  const lines = Object.entries(document.components?.securitySchemes ?? {}).flatMap(([name, reference]) => {
    const kind = credentialsOf(resolve(document, reference));
    return kind === undefined
      ? []
      : [`    ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: "${kind}";\n`];
  });
  return lines.length === 0
    ? 'export type securitySchemes = Record<string, never>;\n'
    : `export interface securitySchemes {\n${lines.join('')}}\n`;
}

import {
  credentialsOf,
  isObject,
  isSchema,
  own,
  reachableSchemas,
  resolve,
  type Contract,
  type Kind,
  type OpenApiDocument,
  sequenceOf,
  type PathItem,
  type Schema,
  type Sequence,
} from 'openapi-exact/contract';
import { createConfig } from '@redocly/openapi-core';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { FormatOption } from './format-option.ts';
import { FormatTypes } from './format-types.ts';
import { BANNER } from './banner.ts';
import { copyFields } from './copy-fields.ts';
import { directedDocument } from './directed-document.ts';
import { withFilledValues } from './filled-values.ts';
import { withSecurity } from './operation-members.ts';
import { OperationNames } from './operation-names.ts';
import { withAliases } from './recursive-types.ts';
import { LaterMethods } from './later-methods.ts';
import { documented, SchemaTypes } from './schema-types.ts';
import { typedDocument } from './typed-document.ts';
import { withWholeQueries } from './whole-queries.ts';

/** Prints the types of a contract. */
export async function printTypes(contract: Contract, formats: readonly FormatOption[]): Promise<string> {
  const names = new OperationNames(contract);
  const document = directedDocument(typedDocument(contract, names));
  const schemas: unknown[] = [];
  const laterMethods = new LaterMethods();
  const shown = laterMethods.written(withStandIns(document, schemas));
  const all = reachableSchemas(
    document,
    schemas.flatMap((schema) => (schema instanceof Items ? schema.schemas : schema)).filter(isSchema),
  );
  const formatTypes = new FormatTypes(formats);
  const types = new SchemaTypes(document, formatTypes, [...all]);
  // Safe: the contract was checked, and both types describe documents of OpenAPI 3.1.
  const nodes = await openapiTypescript(shown as unknown as OpenAPI3, {
    transform: (standIn) => {
      const index = own(standIn, INDEX);
      if (typeof index !== 'number') return undefined;
      const schema = schemas[index];
      if (!(schema instanceof Items)) return types.schemaType(schema);
      return schema.parts === undefined ? types.itemsType(schema.schemas) : types.partsType(schema.parts);
    },
    silent: true,
    // The contract was checked: no rule of the linter may refuse it.
    redocly: await createConfig({ rules: {} }),
  });
  const written = withWholeQueries(names.withIds(laterMethods.withMethods(nodes)), contract);
  return (
    BANNER +
    formatTypes.imports +
    astToString([...withAliases(withFilledValues(withSecurity(written, contract), contract))]) +
    securitySchemes(contract.document) +
    formatTypes.declaration
  );
}

/** Stands among schemas for a stream of items with one of several. */
class Items {
  readonly schemas: readonly Schema[];
  /** Those that are parts of a multipart body. */
  readonly parts: Sequence['parts'];

  constructor({ typed: { prefix, item }, parts }: Sequence) {
    this.schemas = [...prefix, item];
    this.parts = parts;
  }
}

/** The field that marks a stand-in: openapi-typescript keeps fields that it does not know. */
const INDEX = 'x-schema';

/**
 * The document with a stand-in for each schema, so that openapi-typescript writes everything around
 * schemas: it has its own ideas of their keywords.
 */
function withStandIns(document: OpenApiDocument, schemas: unknown[]): OpenApiDocument {
  const standIn = (schema: unknown): object => ({ type: 'string', [INDEX]: schemas.push(schema) - 1 });
  const copyOf = (kind: Kind, node: unknown, name = ''): unknown => {
    const sequence = kind === 'mediaType' && isObject(node) ? sequenceOf(document, name, node) : undefined;
    if (sequence !== undefined) return { schema: standIn(new Items(sequence)) };
    if (kind === 'schema') {
      // Values would be taken for the type.
      const { enum: _, const: __, ...shown } = documented(node);
      return { ...shown, ...standIn(node) };
    }
    return isObject(node) ? copyFields(kind, node, (child, field, _, key) => copyOf(field.kind, child, key)) : node;
  };
  const webhooks = Object.entries(document.webhooks ?? {}).map(([name, item]): [string, PathItem] => [
    name,
    copyOf('pathItem', item) as PathItem,
  ]);
  // A copy of an OpenAPI document is one.
  const copy = copyOf('document', document) as OpenApiDocument;
  return webhooks.length === 0 ? copy : { ...copy, webhooks: Object.fromEntries(webhooks) };
}

/** The interface `securitySchemes`, for `Verifiers` in security/verifier.ts. */
function securitySchemes(document: OpenApiDocument): string {
  const lines = Object.entries(document.components?.securitySchemes ?? {}).flatMap(([name, reference]) => {
    const scheme = resolve(document, reference);
    const kind = credentialsOf(scheme);
    const note = scheme.deprecated === true ? '    /** @deprecated */\n' : '';
    return kind === undefined
      ? []
      : [`${note}    ${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: "${kind}";\n`];
  });
  return lines.length === 0
    ? 'export type securitySchemes = Record<string, never>;\n'
    : `export interface securitySchemes {\n${lines.join('')}}\n`;
}

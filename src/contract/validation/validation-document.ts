import { OperatorError } from '../../errors.ts';
import { isReference, isSchema, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import type { Contract, Operation } from '../document/load.ts';
import { isInt64, type NumericReader } from '../numbers/numeric-reader.ts';
import { requireServable } from './servable.ts';
import { ParameterSchemas, type Deserializer } from './parameters.ts';

/**
 * The one path under which the validator finds the operation. Matching is done before it, so that neither the path's own
 * text nor the size of the contract matters to it.
 */
export const PATH = '/';

/** The only one of a body. */
export const MEDIA_TYPE = 'application/json';

/** Every type of JSON: what is none of them is, here, a `bigint`. */
const JSON_TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** What an express-openapi-validator for one operation is made of. */
export interface ValidationDocument {
  readonly document: OpenApiDocument;
  readonly deserializers: readonly Deserializer[];
  /** The numbers in the path, which are strings in the document: to be read before. */
  readonly pathReaders: ReadonlyMap<string, NumericReader>;
}

/**
 * A document that holds one operation and the schemas it needs, in the form in which express-openapi-validator treats it
 * exactly. An int64 in a body is a `bigint` there (exact-body.ts makes it one), which JSON Schema can only name by what it is not.
 * @throws OperatorError, which names the place, for what cannot be served.
 */
export function validationDocument({ document }: Contract, operation: Operation): ValidationDocument {
  const schemas: Record<string, Schema> = {};
  const names = new Map<string, string>();

  /** Copies a part of the contract; the schemas it refers to come along under `components`. */
  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy);
    if (!isSchema(node)) return node;
    if (isReference(node)) {
      const { $ref, description: _, summary: __, ...siblings } = node;
      const reference = { $ref: `#/components/schemas/${schemaName($ref)}` };
      // The validator would not look at what stands beside a reference.
      return Object.keys(siblings).length === 0 ? reference : { allOf: [reference, copy(siblings)] };
    }
    if (isInt64(node)) {
      const nullable = [node.type].flat().includes('null');
      return { not: { type: nullable ? JSON_TYPES.filter((type) => type !== 'null') : JSON_TYPES } };
    }
    const entries = Object.entries(node).filter(([key]) => key !== 'example' && key !== 'examples');
    return Object.fromEntries(entries.map(([key, value]) => [key, copy(value)]));
  }

  function schemaName($ref: string): string {
    const known = names.get($ref);
    if (known !== undefined) return known;
    const own = /^#\/components\/schemas\/([\w.-]+)$/.exec($ref)?.[1];
    const name = own ?? `schema.${names.size}`;
    names.set($ref, name);
    // A copied Schema Object is a Schema Object.
    schemas[name] = copy(resolve<Schema>(document, { $ref })) as Schema;
    return name;
  }

  const { definition, parameters, requestBody, method } = operation;
  const parameterSchemas = new ParameterSchemas(document, operation.id);
  if (requestBody) requireJson(document, `${operation.id}, request body`, requestBody.content);
  const responses = Object.entries(definition.responses).map(([status, response]) => {
    const { content } = resolve(document, response);
    if (content) requireJson(document, `${operation.id}, response ${status}`, content);
    return [status, { description: '', ...(content && { content: copy(content) }) }];
  });
  const item = {
    [method.toLowerCase()]: {
      operationId: operation.id,
      security: operation.security,
      parameters: parameters.map((parameter) => parameterSchemas.parameter(parameter)),
      ...(requestBody && {
        requestBody: { content: copy(requestBody.content), required: requestBody.required === true },
      }),
      responses: Object.fromEntries(responses) as unknown,
    },
  };
  const securitySchemes = document.components?.securitySchemes ?? {};
  return {
    // The parts are those of the contract; what was copied differs only in references and in the types of numbers.
    document: {
      openapi: document.openapi,
      info: document.info,
      paths: { [PATH]: item },
      components: { securitySchemes, schemas: { ...schemas, ...parameterSchemas.itemSchemas } },
    },
    deserializers: parameterSchemas.deserializers,
    pathReaders: parameterSchemas.pathReaders,
  };
}

function requireJson(document: OpenApiDocument, place: string, content: Record<string, { schema?: Schema }>): void {
  const types = Object.keys(content);
  if (types.length === 1 && types[0] === MEDIA_TYPE) {
    requireServable(document, content[MEDIA_TYPE]?.schema, place);
    return;
  }
  throw new OperatorError(`${place}: only ${MEDIA_TYPE} is served, not ${types.join(', ')}.`);
}

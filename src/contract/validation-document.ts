import { isReference, resolve, type OpenApiDocument, type Schema } from './document.ts';
import { int64Format } from './int64-parameter.ts';
import type { Contract, Operation } from './load.ts';

/**
 * The one path under which the validator finds the operation. Matching is done before it, so that neither the path's own
 * text nor the size of the contract matters to it.
 */
export const PATH = '/';

/**
 * A document that holds one operation and the schemas it needs, in the form in which express-openapi-validator treats it
 * exactly: parameters of the format int64 are strings there, which a deserialiser turns into a `bigint`.
 */
export function validationDocument({ document }: Contract, operation: Operation): OpenApiDocument {
  const schemas: Record<string, Schema> = {};
  const names = new Map<string, string>();

  /** Copies a part of the contract; the schemas it refers to come along under `components`. */
  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== 'object' || node === null) return node;
    if (isReference(node)) return { $ref: `#/components/schemas/${schemaName(node.$ref)}` };
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, copy(value)]));
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

  /** The schema of a parameter, without references, as the validator shall see it. */
  function parameterSchema(reference: Schema): Schema {
    const schema = resolve<Schema>(document, reference.$ref === undefined ? reference : { $ref: reference.$ref });
    if (schema.type === 'integer' && schema.format === 'int64') {
      return { type: 'string', format: int64Format(schema.minimum, schema.maximum) };
    }
    if (schema.type === 'array' && isSchema(schema['items'])) {
      return { ...schema, items: parameterSchema(schema['items']) };
    }
    return schema;
  }

  const { definition, parameters, requestBody, method } = operation;
  const responses = Object.entries(definition.responses).map(([status, response]) => {
    const { content } = resolve(document, response);
    return [status, { description: '', ...(content && { content: copy(content) }) }];
  });
  const item = {
    [method.toLowerCase()]: {
      operationId: operation.id,
      security: operation.security,
      parameters: parameters.map((parameter) =>
        parameter.schema === undefined ? copy(parameter) : { ...parameter, schema: parameterSchema(parameter.schema) },
      ),
      ...(requestBody && { requestBody: copy(requestBody) }),
      responses: Object.fromEntries(responses) as unknown,
    },
  };
  const securitySchemes = document.components?.securitySchemes ?? {};
  // The parts are those of the contract; the copy above only rewrites references and the types of int64 parameters.
  return {
    openapi: document.openapi,
    info: document.info,
    paths: { [PATH]: item },
    components: { securitySchemes, schemas },
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

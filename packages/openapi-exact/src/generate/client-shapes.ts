import type { Parameter, Response } from '../document/openapi-document.ts';
import { bodyKind } from '../document/media-type.ts';
import type { Contract, Operation } from '../document/load.ts';
import type { ContractShapes, OperationShape, QueryStyle, Shape } from '../client/shape.ts';
import { reachableSchemas } from '../document/schema-graph.ts';
import { isOfOthers, mixedNumbers } from '../shapes/mixed-numbers.ts';
import { requestSchemas, responseSchemas } from '../validation/validation-document.ts';
import { BANNER } from './banner.ts';
import { contractShapes, type Shapes } from '../shapes/contract-shapes.ts';

const JSON_ONLY = 'application/json';

/**
 * What the types of a contract cannot tell a client at run time, as a module: which operations
 * there are, which statuses mean success, and where an int64 stands in parameters and bodies.
 */
export function clientShapes({ document, operations }: Contract): string {
  const schemas = operations.flatMap((operation) => [
    ...Object.values(requestSchemas(document, operation)),
    ...Object.values(responseSchemas(document, operation)),
  ]);
  const all = [...reachableSchemas(document, schemas)];
  const mixed = { numbers: mixedNumbers(document, all), otherSchemas: mixedNumbers(document, all, isOfOthers) };
  const shapes = contractShapes(document, mixed);
  const table: ContractShapes = {
    operations: Object.fromEntries(
      operations.map((operation) => [`${operation.method} ${operation.path}`, operationShape(shapes, operation)]),
    ),
    // After the operations, which fill it.
    schemas: shapes.referred,
  };
  return [
    `${BANNER}import type { ContractShapes } from 'openapi-exact/client';\n\n`,
    '/** Where int64s stand in the messages of each operation, for `createClient`. */\n',
    `export const shapes: ContractShapes = ${JSON.stringify(table, null, 2)};\n`,
  ].join('');
}

function operationShape(shapes: Shapes, { parameters, requestBody, responses }: Operation): OperationShape {
  const styles = parameters.filter((parameter) => parameter.in === 'query').flatMap(queryStyle);
  const [bodyType = JSON_ONLY] = jsonFirst(requestBody);
  const entries = Object.entries(responses).map(([status, response]) => ({ status: status.toUpperCase(), response }));
  const hasSuccess = entries.some(({ status }) => status.startsWith('2'));
  const isSuccess = (status: string): boolean => status.startsWith('2') || (status === 'DEFAULT' && !hasSuccess);
  const bodies = entries.map(({ status, response }) => ({ status, shape: shapes.shapeOfSchema(jsonSchema(response)) }));
  // All errors or none: one that is left out must not be read by the shape of its range.
  const hasErrors = bodies.some(({ status, shape }) => !isSuccess(status) && Object.keys(shape).length > 0);
  const types = entries
    .filter(({ status }) => isSuccess(status) && !/^20[45]$/.test(status))
    .map(({ status, response }) => ({ status, types: jsonFirst(response) }))
    .filter(({ types }) => types.join() !== JSON_ONLY);
  return {
    parameters: parameterShapes(shapes, parameters),
    ...(styles.length > 0 && { queryStyles: Object.fromEntries(styles) }),
    ...(bodyType !== JSON_ONLY && { bodyType }),
    body: shapes.shapeOfSchema(jsonSchema(requestBody)),
    responses: Object.fromEntries(
      bodies.filter(({ status }) => isSuccess(status) || hasErrors).map(({ status, shape }) => [status, shape]),
    ),
    ...(types.length > 0 && { responseTypes: Object.fromEntries(types.map((entry) => [entry.status, entry.types])) }),
  };
}

/** The style of a query parameter under its name, if it is another than form with explode. */
function queryStyle({ name, content, style = 'form', explode = style === 'form' }: Parameter): [string, QueryStyle][] {
  if (content !== undefined) return bodyKind(Object.keys(content)[0] ?? '') === 'json' ? [[name, 'json']] : [];
  if (style === 'form' && explode) return [];
  // The contract was checked: it has a style of the query.
  return [[name, { style, explode } as QueryStyle]];
}

function parameterShapes(shapes: Shapes, parameters: readonly Parameter[]): OperationShape['parameters'] {
  const groups: Record<string, Record<string, Shape>> = {};
  for (const { name, in: location, schema } of parameters) {
    const shape = shapes.shapeOfSchema(schema);
    // A parameter of the path is always required: it stands here in any case, to be missed.
    if (location === 'path' || Object.keys(shape).length > 0) groups[location] = { ...groups[location], [name]: shape };
  }
  return groups;
}

type ContentMessage = Pick<Response, 'content'> | undefined;

/** The media types of a message; a client prefers JSON, so that comes first. */
function jsonFirst(message: ContentMessage): readonly string[] {
  const types = Object.keys(message?.content ?? {});
  const isJson = (type: string): boolean => bodyKind(type) === 'json';
  return [...types.filter(isJson), ...types.filter((type) => !isJson(type))];
}

/** The schema of the first JSON media type of a message, such as `application/geo+json`. */
function jsonSchema(message: ContentMessage): unknown {
  const [type = ''] = jsonFirst(message);
  return bodyKind(type) === 'json' ? message?.content?.[type]?.schema : undefined;
}

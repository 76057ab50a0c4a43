import type { Parameter, Response } from '../document/openapi-document.ts';
import { kindOf } from '../document/media-type.ts';
import type { Contract, Operation } from '../document/load.ts';
import type { OperationShape, Shape } from '../client/shape.ts';
import { BANNER } from './banner.ts';
import { contractShapes, type Shapes } from './shapes.ts';

/**
 * What the types of a contract cannot tell a client at run time, as a module: which operations
 * there are, which statuses mean success, and where an int64 stands in parameters and bodies.
 */
export function contractOperations({ document, operations }: Contract): string {
  const shapes = contractShapes(document);
  const table = Object.fromEntries(
    operations.map((operation) => [`${operation.method} ${operation.path}`, shapeOf(shapes, operation)]),
  );
  return [
    `${BANNER}import type { OperationShape, Shape } from '../packages/openapi-exact/src/client/shape.ts';\n\n`,
    '/** The operations, by method and path template. */\n',
    `export const OPERATIONS: Readonly<Record<string, OperationShape>> = ${json(table)};\n\n`,
    '/** The shapes that others refer to, by pointer. */\n',
    `export const SCHEMAS: Readonly<Record<string, Shape>> = ${json(shapes.referred)};\n`,
  ].join('');
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function shapeOf(shapes: Shapes, { parameters, requestBody, responses }: Operation): OperationShape {
  const [type, body] = jsonOf(requestBody);
  const success = Object.entries(responses).filter(([status]) => /^(?:2..|default)$/i.test(status));
  return {
    parameters: parameterShapes(shapes, parameters),
    ...(type !== 'application/json' && { bodyType: type }),
    body: shapes.of(body),
    responses: Object.fromEntries(
      success.map(([status, response]) => [status.toUpperCase(), shapes.of(jsonOf(response)[1])]),
    ),
  };
}

function parameterShapes(shapes: Shapes, parameters: readonly Parameter[]): OperationShape['parameters'] {
  const groups: Record<string, Record<string, Shape>> = {};
  for (const { name, in: location, schema } of parameters) {
    const shape = shapes.of(schema);
    // A parameter of the path is always required: it stands here in any case, to be missed.
    if (location === 'path' || Object.keys(shape).length > 0) groups[location] = { ...groups[location], [name]: shape };
  }
  return groups;
}

/** The first JSON media type of a message, such as `application/geo+json`, and its schema. */
function jsonOf(message: Pick<Response, 'content'> | undefined): readonly [type: string, schema?: unknown] {
  const found = Object.entries(message?.content ?? {}).find(([type]) => kindOf(type) === 'json');
  return found === undefined ? ['application/json'] : [found[0], found[1].schema];
}

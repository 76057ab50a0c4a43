import {
  LOCATIONS,
  SpreadField,
  ValueReader,
  bodyKind,
  contractShapes,
  isJsonText,
  isRange,
  serialisationOf,
  type Contract,
  type ContractShapes,
  type MediaShapes,
  type OpenApiDocument,
  type Operation,
  type OperationShape,
  type Parameter,
  type ParameterStyle,
  type Response,
  type Shape,
  type Shapes,
} from 'openapi-exact/contract';
import { BANNER } from './banner.ts';

/** A line with the name of a method that every object has as its key. */
const METHODS_OF_OBJECTS = new RegExp(`^ *"(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})": `, 'm');

/**
 * What the types of a contract cannot tell a client at run time, as a module: which operations
 * there are, which statuses mean success, and where an int64 stands in parameters and bodies.
 */
export function clientShapes({ document, operations }: Contract): string {
  const shapes = contractShapes(document);
  const table: ContractShapes = {
    operations: Object.fromEntries(
      operations.map((operation) => [
        `${operation.method} ${operation.path}`,
        operationShape(document, shapes, operation),
      ]),
    ),
    // After the operations, which fill it.
    schemas: shapes.referred,
  };
  // In an object literal, this key would be the prototype.
  const written = JSON.stringify(table, null, 2).replaceAll(/^( *)"__proto__": /gm, '$1["__proto__"]: ');
  // TypeScript expects the methods of objects under their names.
  const assertion = METHODS_OF_OBJECTS.test(written) ? ' as unknown as ContractShapes' : '';
  return [
    `${BANNER}import type { ContractShapes } from 'openapi-exact/client';\n\n`,
    '/** Where int64s stand in the messages of each operation, for `createClient`. */\n',
    `export const shapes: ContractShapes = ${written}${assertion};\n`,
  ].join('');
}

function operationShape(
  document: OpenApiDocument,
  shapes: Shapes,
  { parameters, requestBody, responses }: Operation,
): OperationShape {
  const styles = parameterStyles(document, parameters);
  const all = Object.entries(responses).map(([status, response]) => ({ status: status.toUpperCase(), response }));
  const hasSuccess = all.some(({ status }) => status.startsWith('2'));
  const isSuccess = (status: string): boolean => status.startsWith('2') || (status === 'DEFAULT' && !hasSuccess);
  const bodies = all.map(({ status, response }) => ({
    status,
    // These statuses have no body (RFC 9110, sections 15.3.5 and 15.3.6).
    body: /^20[45]$/.test(status) ? {} : mediaShapes(shapes, response),
  }));
  // All errors or none: one that is left out must not be read by the shape of its range.
  const hasErrors = bodies.some(
    ({ status, body }) => !isSuccess(status) && Object.values(body).some((shape) => Object.keys(shape).length > 0),
  );
  return {
    parameters: parameterShapes(document, shapes, parameters),
    ...(Object.keys(styles).length > 0 && { styles }),
    body: mediaShapes(shapes, requestBody),
    responses: Object.fromEntries(
      bodies.filter(({ status }) => isSuccess(status) || hasErrors).map(({ status, body }) => [status, body]),
    ),
  };
}

/** The styles of parameters that are written otherwise than by the default of their location. */
function parameterStyles(
  document: OpenApiDocument,
  parameters: readonly Parameter[],
): NonNullable<OperationShape['styles']> {
  const styles: Record<string, Record<string, ParameterStyle>> = {};
  for (const parameter of parameters) {
    const written = parameterStyle(document, parameter);
    if (written !== undefined) styles[parameter.in] = { ...styles[parameter.in], [parameter.name]: written };
  }
  return styles;
}

function parameterStyle(document: OpenApiDocument, parameter: Parameter): ParameterStyle | undefined {
  const location = LOCATIONS[parameter.in];
  const [content] = Object.entries(parameter.content ?? {});
  if (content !== undefined) {
    const [mediaType, { schema }] = content;
    return isJsonText(mediaType, new ValueReader(document, schema, location.refuse)) ? 'json' : undefined;
  }
  const { style, explode } = serialisationOf(parameter, location);
  const isDefault = style === location.styles[0] && explode === (style === 'form');
  // The contract was checked: it has a style of its location.
  return isDefault ? undefined : ({ style, explode } as ParameterStyle);
}

function parameterShapes(
  document: OpenApiDocument,
  shapes: Shapes,
  parameters: readonly Parameter[],
): OperationShape['parameters'] {
  const groups: Record<string, Record<string, Shape>> = {};
  // A client must know the names that their properties cannot have.
  const named = new Set(parameters.filter((parameter) => isFreelySpread(document, parameter)).map((free) => free.in));
  // A parameter of the path is always required: it stands here in any case, to be missed.
  named.add('path');
  for (const { name, in: location, schema, content } of parameters) {
    const shape = shapes.shapeOfSchema(content === undefined ? schema : Object.values(content)[0]?.schema);
    if (named.has(location) || Object.keys(shape).length > 0) {
      groups[location] = { ...groups[location], [name]: shape };
    }
  }
  return groups;
}

/** Whether the properties of an object have names of their own, of which any is allowed. */
function isFreelySpread(document: OpenApiDocument, parameter: Parameter): boolean {
  const location = LOCATIONS[parameter.in];
  const isForm = parameter.in === 'query' || parameter.in === 'cookie';
  if (!isForm || parameter.content !== undefined) return false;
  return new SpreadField(document, parameter, location).isFree && serialisationOf(parameter, location).explode;
}

/**
 * The shapes of a message by media type; a client prefers JSON, so that comes first. A range such
 * as `*∕*` may have JSON, too.
 */
function mediaShapes(shapes: Shapes, message: Pick<Response, 'content'> | undefined): MediaShapes {
  const content = Object.entries(message?.content ?? {});
  const isJson = (type: string): boolean => bodyKind(type) === 'json';
  return Object.fromEntries<Shape>([
    ...content
      .filter(([type]) => isJson(type))
      .map(([type, { schema }]): [string, Shape] => [type, shapes.shapeOfSchema(schema)]),
    ...content
      .filter(([type]) => !isJson(type))
      .map(([type, { schema }]): [string, Shape] => [type, isRange(type) ? shapes.shapeOfSchema(schema) : {}]),
  ]);
}

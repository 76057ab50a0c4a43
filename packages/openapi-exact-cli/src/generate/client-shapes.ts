import {
  FIXED_METHODS,
  LOCATIONS,
  SpreadField,
  ValueReader,
  alternatives,
  asParameter,
  bodyKind,
  credentialsOf,
  isIdempotent,
  isJsonText,
  isVersion32,
  isRange,
  placesOf,
  resolve,
  sequenceOf,
  serialisationOf,
  typesOf,
  type ApiKeyLocation,
  type Contract,
  type ContractPlaces,
  type ContractShapes,
  type ItemPart,
  type ItemParts,
  type MediaShape,
  type MediaShapes,
  type MediaTypeObject,
  type OpenApiDocument,
  type Operation,
  type OperationShape,
  type Parameter,
  type ParameterStyle,
  type PartShape,
  type PartShapes,
  type Querystring,
  type QuerystringShape,
  type Response,
  type SecurityScheme,
  type SecuritySchemeShape,
  type Shape,
} from 'openapi-exact/contract';
import { BANNER } from './banner.ts';
import { generatedFormats, tableCodecs, type FormatOption } from './format-option.ts';

/** A line with the name of a method that every object has as its key. */
const METHODS_OF_OBJECTS = new RegExp(`^ *"(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})": `, 'm');

/**
 * What the types of a contract cannot tell a client at run time, as a module: the operations, the
 * statuses and media types of their responses, the places of formats in parameters and bodies, and
 * how the credentials of security schemes are sent.
 * @param formats those whose places the table has beside int64s.
 */
export function clientShapes({ document, operations }: Contract, formats: readonly FormatOption[] = []): string {
  const shapes = placesOf({ document }, tableCodecs(formats));
  const securitySchemes = securitySchemeShapes(document);
  const table: ContractShapes = {
    operations: Object.fromEntries(
      operations.map((operation) => [
        `${operation.method} ${operation.path}`,
        operationShape(document, shapes, operation),
      ]),
    ),
    // After the operations, which fill it.
    schemas: shapes.referred,
    ...(formats.length > 0 && { formats: generatedFormats(formats) }),
    ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
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
  shapes: ContractPlaces,
  { method, parameters, querystring, requestBody, responses, security }: Operation,
): OperationShape {
  const styles = parameterStyles(document, parameters);
  const alternatives = security.map((requirement) => Object.keys(requirement)).filter((names) => names.length > 0);
  const bodies = Object.entries(responses).map(([status, response]): [string, MediaShapes] => [
    status.toUpperCase(),
    // These statuses have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    /^(?:20[45]|304)$/.test(status) ? {} : mediaShapes(document, shapes, response),
  ]);
  return {
    parameters: parameterShapes(document, shapes, parameters),
    ...(Object.keys(styles).length > 0 && { styles }),
    ...(querystring !== undefined && { querystring: querystringShape(document, shapes, querystring) }),
    ...(alternatives.length > 0 && { security: alternatives }),
    ...(!FIXED_METHODS.some((fixed) => fixed === method) && isIdempotent(method) && { isIdempotent: true }),
    body: mediaShapes(document, shapes, requestBody),
    responses: Object.fromEntries(bodies),
  };
}

/** The security schemes whose credentials the library reads and sends. */
function securitySchemeShapes(document: OpenApiDocument): Record<string, SecuritySchemeShape> {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return Object.fromEntries(
    schemes.flatMap(([name, reference]) => {
      const shape = securitySchemeShape(resolve(document, reference));
      return shape === undefined ? [] : [[name, shape]];
    }),
  );
}

function securitySchemeShape(securityScheme: SecurityScheme): SecuritySchemeShape | undefined {
  const kind = credentialsOf(securityScheme);
  if (kind === undefined) return undefined;
  const { in: location, name = '', scheme = '' } = securityScheme;
  // The location was checked with the kind.
  if (kind === 'apiKey') return { in: location as ApiKeyLocation, name };
  return { scheme: { basic: 'Basic', bearer: 'Bearer', http: scheme }[kind] };
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

/** How the whole query is written. */
function querystringShape(
  document: OpenApiDocument,
  shapes: ContractPlaces,
  { mediaType, media }: Querystring,
): QuerystringShape {
  const shape = shapes.shapeOfSchema(media.schema);
  if (bodyKind(mediaType) !== 'form') {
    const values = new ValueReader(document, media.schema, LOCATIONS.query.refuse);
    return { kind: isJsonText(mediaType, values) ? 'json' : 'text', shape };
  }
  const styles = Object.entries(media.encoding ?? {})
    .flatMap(([name, encoding]) => asParameter(name, {}, encoding))
    .map((parameter): [string, ParameterStyle] => {
      const isJson = parameter.content !== undefined;
      // A property in a style of a query is a parameter of one.
      return [parameter.name, isJson ? 'json' : (serialisationOf(parameter, LOCATIONS.query) as ParameterStyle)];
    });
  return { kind: 'form', shape, ...(styles.length > 0 && { styles: Object.fromEntries(styles) }) };
}

function parameterStyle(document: OpenApiDocument, parameter: Parameter): ParameterStyle | undefined {
  const location = LOCATIONS[parameter.in];
  const [content] = Object.entries(parameter.content ?? {});
  if (content !== undefined) {
    const [mediaType, { schema }] = content;
    return isJsonText(mediaType, new ValueReader(document, schema, location.refuse)) ? 'json' : undefined;
  }
  const { style, explode } = serialisationOf(parameter, location);
  // Before OpenAPI 3.2, it is of the query alone, where any encoding is allowed.
  const isReserved = parameter.allowReserved === true && parameter.in !== 'header' && style !== 'cookie';
  const reserved = isReserved && isVersion32(document) ? ({ allowReserved: true } as const) : {};
  const isDefault = style === location.styles[0] && explode === (style === 'form') && !('allowReserved' in reserved);
  // The contract was checked: it has a style of its location.
  return isDefault ? undefined : ({ style, explode, ...reserved } as ParameterStyle);
}

function parameterShapes(
  document: OpenApiDocument,
  shapes: ContractPlaces,
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

/** Whether any name is allowed for the properties of an object. */
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
function mediaShapes(
  document: OpenApiDocument,
  shapes: ContractPlaces,
  message: Pick<Response, 'content'> | undefined,
): MediaShapes {
  const content = Object.entries(message?.content ?? {});
  const isJson = (type: string): boolean => bodyKind(type) === 'json';
  const shapeOf = (type: string, media: MediaTypeObject): MediaShape => {
    const sequence = sequenceOf(document, type, media);
    if (sequence === undefined) return isJson(type) || isRange(type) ? shapes.shapeOfSchema(media.schema) : {};
    const { format, jsonData, typed, parts } = sequence;
    if (parts !== undefined) return { sequence: format, parts: partShapes(document, shapes, parts) };
    const array = { type: 'array', prefixItems: typed.prefix, items: typed.item };
    return { sequence: format, ...(jsonData !== undefined && { jsonData }), ...shapes.shapeOfSchema(array) };
  };
  const entries = content.map(([type, media]): [string, MediaShape] => [type, shapeOf(type, media)]);
  return Object.fromEntries([
    ...entries.filter(([type]) => isJson(type)),
    ...entries.filter(([type]) => !isJson(type)),
  ]);
}

/** The shapes of parts without names, by position. */
function partShapes(document: OpenApiDocument, shapes: ContractPlaces, { prefix, item }: ItemParts): PartShapes {
  const shapeOf = ({ schema, mediaTypes, isEncoded, parts }: ItemPart): PartShape => {
    const value = shapes.shapeOfSchema(schema);
    const types = alternatives(document, schema).flatMap(typesOf);
    const hasScalars = ['integer', 'number', 'boolean', 'null'].some((type) => types.includes(type));
    return {
      types: mediaTypes,
      ...(Object.keys(value).length > 0 && { value }),
      ...(isEncoded && { isEncoded }),
      ...(hasScalars && { hasScalars }),
      ...(parts !== undefined && { parts: partShapes(document, shapes, parts) }),
    };
  };
  return { ...(prefix.length > 0 && { prefix: prefix.map(shapeOf) }), item: shapeOf(item) };
}

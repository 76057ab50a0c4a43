import type { BodyKind } from '../http/media-type.ts';
import type { Operation, ResolvedResponse } from '../document/operations.ts';
import { keyOfToken } from '../json/json-pointer.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { GROUPS, isParameterGroup, PARAMETER_GROUPS, type ParameterGroup } from '../parameters/locations.ts';
import { contentSchema, groupSchema, valueSchema } from '../parameters/value-schema.ts';
import type { MediaTypeObject, OpenApiDocument, Schema } from '../schema/openapi-document.ts';
import { allParts, type ItemPart } from '../schema/item-parts.ts';
import { sequenceOf } from '../schema/sequence.ts';

/** The direction of a message. */
export type MessageDirection = 'request' | 'response';

/** A message as checked: one JSON object, whose properties are its parts. */
export interface Message {
  readonly parts: Readonly<Record<string, unknown>>;
  /** Whether all of it is JSON whose numbers are doubles, without special keys. */
  readonly isPlain: boolean;
}

/** The part of a request that holds a body of a media type. */
export function bodyName(mediaType: string): string {
  return `body ${mediaType}`;
}

/** The part of a response that holds a body of a media type. */
export function responseName(status: string, mediaType: string): string {
  return `${status} ${mediaType}`;
}

/** The part of a response that holds its headers. */
export function headersName(status: string): string {
  return `${status} headers`;
}

/** The key for the schema of one part of a multipart body, beside that of the whole. */
export function partType(mediaType: string): string {
  return `${mediaType};part`;
}

/** The key under which the schema of the headers of one part stands there. */
export function partHeadersType(mediaType: string): string {
  return `${mediaType};headers`;
}

/** The key for the schema of an item of a sequential media type, as if it were one more type. */
export function itemType(mediaType: string, index: number, prefixLength: number): string {
  return index < prefixLength ? `${mediaType};item${index}` : `${mediaType};item`;
}

/** A place in a message: its part, and the place in that. */
export interface PartPlace {
  /** The group of parameters; undefined for a body or headers. */
  readonly group: ParameterGroup | undefined;
  /** A JSON pointer into the part; '' for the part itself. */
  readonly pointer: string;
}

/** The place in a part of a message that a JSON pointer into the message names. */
export function placeInPart(place: string): PartPlace {
  const end = place.indexOf('/', 1);
  const part = keyOfToken(end === -1 ? place.slice(1) : place.slice(1, end));
  return { group: isParameterGroup(part) ? part : undefined, pointer: end === -1 ? '' : place.slice(end) };
}

/** The schemas of the parts of messages, by name. */
export type MessageParts = Readonly<Record<string, Schema>>;

const REQUESTS = new WeakMap<Operation, MessageParts>();
const RESPONSES = new WeakMap<Operation, MessageParts>();

/** The names of the parameter groups among the parts of a request. */
export function groupsIn(parts: Readonly<Record<string, unknown>>): ParameterGroup[] {
  return PARAMETER_GROUPS.filter((group) => Object.hasOwn(parts, group));
}

/** Each body and group of declared parameters of a request, in the contract's own schemas. */
export function requestSchemas(document: OpenApiDocument, operation: Operation): MessageParts {
  return getOrInsert(REQUESTS, operation, () => {
    const { querystring } = operation;
    const groups = PARAMETER_GROUPS.flatMap((group): [string, Schema][] => {
      if (group === 'query' && querystring !== undefined) {
        const { mediaType, media } = querystring;
        return [[group, contentSchema(document, mediaType, media.schema, ['json', 'form'])]];
      }
      const own = operation.parameters.filter((parameter) => parameter.in === GROUPS[group]);
      return own.length === 0 ? [] : [[group, groupSchema(document, own)]];
    });
    const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([mediaType, media]) =>
      contentSchemas(document, mediaType, media, ['json', 'form', 'multipart']).map(
        ([type, schema]): [string, Schema] => [bodyName(type), schema],
      ),
    );
    return Object.fromEntries([...groups, ...bodies]);
  });
}

/** The headers and each body of a response, in the contract's own schemas. */
export function responseSchemas(document: OpenApiDocument, operation: Operation): MessageParts {
  return getOrInsert(RESPONSES, operation, () => {
    const parts = Object.entries(operation.responses).flatMap(([status, { headers, content = {} }]) => [
      ...headersSchemas(document, status, headers),
      ...Object.entries(content).flatMap(([mediaType, media]) =>
        contentSchemas(document, mediaType, media, ['json']).map(([type, schema]): [string, Schema] => [
          responseName(status, type),
          schema,
        ]),
      ),
    ]);
    return Object.fromEntries(parts);
  });
}

/**
 * The schemas that a body is checked by, per media type: of each item of a sequence, or the whole.
 * @param values the kinds of media types that become arrays and objects.
 */
function contentSchemas(
  document: OpenApiDocument,
  mediaType: string,
  media: MediaTypeObject,
  values: readonly BodyKind[],
): readonly (readonly [type: string, schema: Schema])[] {
  const sequence = sequenceOf(document, mediaType, media);
  if (sequence === undefined) return [[mediaType, contentSchema(document, mediaType, media.schema, values)]];
  const { prefix, item, parts } = sequence;
  if (parts !== undefined) return allParts(parts).flatMap((part) => schemasOfPart(document, mediaType, part));
  return [...prefix, item].map((schema, index) => [itemType(mediaType, index, prefix.length), schema]);
}

function schemasOfPart(
  document: OpenApiDocument,
  mediaType: string,
  { name, schema, headers }: ItemPart,
): readonly (readonly [type: string, schema: Schema])[] {
  const type = `${mediaType}${name}`;
  const ofHeaders = [[partHeadersType(type), groupSchema(document, headers)]] as const;
  return [[type, schema], ...(headers.length === 0 ? [] : ofHeaders)];
}

function headersSchemas(
  document: OpenApiDocument,
  status: string,
  headers: ResolvedResponse['headers'],
): [string, Schema][] {
  if (Object.keys(headers).length === 0) return [];
  const described = Object.entries(headers).map(([name, header]) => [name, valueSchema(document, header)]);
  const properties = Object.fromEntries(described) as Record<string, Schema>;
  return [[headersName(status), { type: 'object', properties }]];
}

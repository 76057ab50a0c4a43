import { isRange, bodyKind } from '../http/media-type.ts';
import type { OpenApiDocument } from '../schema/openapi-document.ts';
import type { ResolvedResponse as Response } from '../document/operations.ts';
import { RESPONSE_HEADER } from '../parameters/locations.ts';
import { TextField } from '../parameters/text-field.ts';
import { sequenceOf, type Sequence } from '../schema/sequence.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { ItemPartWriters } from './item-part-writer.ts';
import { SECURITY_HEADERS } from './respond.ts';
import { responseName } from '../bodies/message-parts.ts';

/** Headers that need no declaration: those of every response, which a handler may replace. */
const COMMON_HEADERS = [...Object.keys(SECURITY_HEADERS).map((name) => name.toLowerCase()), 'content-type'];

/** A response as the contract declares it. */
export interface DeclaredResponse {
  readonly types: readonly string[];
  /** Names in lower case, those that need no declaration included. */
  readonly headers: ReadonlySet<string>;
  readonly requiredHeaders: readonly string[];
  /** They read the values of headers. */
  readonly fields: readonly TextField[];
  /** By media type. */
  readonly contents: ReadonlyMap<string, DeclaredContent>;
}

/** A body of one media type as the contract declares it. */
export interface DeclaredContent {
  /** Its name as a part of a message. */
  readonly part: string;
  /** Reads its texts, if it is a scalar of a media type other than JSON. */
  readonly reader: ValueReader | undefined;
  /** The items of a sequential media type. */
  readonly sequence: Sequence | undefined;
  /** They write the items that are parts. */
  readonly itemParts: ItemPartWriters | undefined;
}

/** Prepares the declaration of the response to a status for its checks. */
export function declaredResponse(
  document: OpenApiDocument,
  status: string,
  { headers, content = {} }: Response,
): DeclaredResponse {
  // The library writes Content-Type, which is not declared as a header.
  const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  return {
    types: Object.keys(content),
    headers: new Set([...COMMON_HEADERS, ...Object.keys(headers).map((name) => name.toLowerCase())]),
    requiredHeaders: own.filter(([, header]) => header.required === true).map(([name]) => name),
    // Each line of Set-Cookie is a value of its own.
    fields: own
      .filter(([name]) => name.toLowerCase() !== 'set-cookie')
      .map(([name, header]) => new TextField(document, { ...header, name, in: 'header' }, RESPONSE_HEADER)),
    contents: new Map(
      Object.entries(content).map(([mediaType, media]) => {
        const sequence = sequenceOf(document, mediaType, media);
        return [
          mediaType,
          {
            part: responseName(status, mediaType),
            reader: readerOf(document, mediaType, media.schema),
            sequence,
            itemParts: sequence?.parts && new ItemPartWriters(document, sequence.parts),
          },
        ];
      }),
    ),
  };
}

function readerOf(document: OpenApiDocument, mediaType: string, schema: unknown): ValueReader | undefined {
  if (isRange(mediaType) || bodyKind(mediaType) === 'json') return undefined;
  const reader = new ValueReader(document, schema, RESPONSE_HEADER.refuse);
  return reader.isScalar ? reader : undefined;
}

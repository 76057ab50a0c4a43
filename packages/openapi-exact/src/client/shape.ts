import type { SequenceFormat } from '../http/media-type.ts';
import type { GeneratedFormats } from '../schema/format-options.ts';
import type { Shape } from '../schema/shape.ts';

export type { Shape };

/** The shape of a body; `{}` where it cannot be JSON. */
export interface MediaShape extends Shape {
  /** The body is a stream of items, which are told apart so; their shapes are those of an array. */
  readonly sequence?: SequenceFormat;
  /** Which events have JSON as their data: all, some, or those with these names. */
  readonly jsonData?: 'all' | 'some' | readonly string[];
  /** How the items of a multipart body are read and written. */
  readonly parts?: PartShapes;
}

/** The shapes of the parts of a multipart body without names: the first ones and all others. */
export interface PartShapes {
  readonly prefix?: readonly PartShape[];
  readonly item: PartShape;
}

/** How the parts at one position are read and written. */
export interface PartShape {
  /** The media types and ranges that they may have. */
  readonly types: readonly string[];
  /** Their values. */
  readonly value?: Shape;
  /** Bytes are a text by their encoding, such as base64. */
  readonly isEncoded?: true;
  /** A text may be a number, true, false or null. */
  readonly hasScalars?: true;
  /** The parts of a multipart body within them. */
  readonly parts?: PartShapes;
}

/** Shapes by media type. */
export type MediaShapes = Readonly<Record<string, MediaShape>>;

/** How a parameter is written; `json` for one whose content is JSON. */
export type ParameterStyle =
  | 'json'
  | {
      readonly style:
        | ('form' | 'simple' | 'label' | 'matrix' | 'cookie')
        | ('spaceDelimited' | 'pipeDelimited' | 'deepObject');
      readonly explode: boolean;
      /** Reserved characters and percent-encoded ones are written unchanged. */
      readonly allowReserved?: true;
    };

/** Where an API key may be in a request. */
export type ApiKeyLocation = 'header' | 'query' | 'cookie';

/** How credentials are sent: an API key by location and name, others in `Authorization`. */
export type SecuritySchemeShape =
  | { readonly in: ApiKeyLocation; readonly name: string }
  /** The authentication scheme (RFC 9110, section 11.1), such as `Bearer`. */
  | { readonly scheme: string };

/** How a query is written that is one value. */
export interface QuerystringShape {
  readonly kind: 'form' | 'json' | 'text';
  readonly shape: Shape;
  /** The styles of the properties of a form for which the contract names one. */
  readonly styles?: Readonly<Record<string, ParameterStyle>>;
}

/** The data of an operation that the client needs at run time. */
export interface OperationShape {
  /**
   * Parameters by location and name: all of the path and beside an exploded object with any
   * properties, else those with a format.
   */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
  /** The styles of parameters by location and name, except the default of the location. */
  readonly styles?: Readonly<Record<string, Readonly<Record<string, ParameterStyle>>>>;
  /** The shape of the whole query (`in: querystring`), which excludes query parameters. */
  readonly querystring?: QuerystringShape;
  /** The security schemes to use together, in the alternatives of the contract. */
  readonly security?: readonly (readonly string[])[];
  /** Its method is one of `additionalOperations`, and idempotent. */
  readonly isIdempotent?: true;
  /** The shapes of the request body, JSON first. */
  readonly body: MediaShapes;
  /** The shapes of responses by status, range (`4XX`) or `DEFAULT`. */
  readonly responses: Readonly<Record<string, MediaShapes>>;
}

/**
 * The table of a contract that `openapi-exact generate` writes into shapes.ts.
 * @example import { shapes } from './generated/shapes.ts';
 */
export interface ContractShapes {
  /** The operations, by method and path template. */
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** The shapes that others refer to, by pointer. */
  readonly schemas: Readonly<Record<string, Shape>>;
  /** The formats whose places it has: the type of the values of each, or null. */
  readonly formats?: GeneratedFormats;
  /** The security schemes, by name. */
  readonly securitySchemes?: Readonly<Record<string, SecuritySchemeShape>>;
}

import type { Shape } from '../shapes/shape.ts';

export type { Shape };

/** How a query parameter is written; `json` for one whose content is JSON. */
export type QueryStyle =
  | 'json'
  | { readonly style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'; readonly explode: boolean };

/** The data of an operation that the client needs at run time. */
export interface OperationShape {
  /** All path parameters, and others with an int64, by location and name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
  /** The styles of query parameters that are others than form with explode. */
  readonly queryStyles?: Readonly<Record<string, QueryStyle>>;
  /** The media type of the request body, if it is another than application/json. */
  readonly bodyType?: string;
  /** The shape of the request body. */
  readonly body: Shape;
  /** The shapes of the JSON bodies of all responses, by status, range (`4XX`) or `DEFAULT`. */
  readonly responses: Readonly<Record<string, Shape>>;
  /** The media types of successes, where they are others than application/json; `[]` for none. */
  readonly responseTypes?: Readonly<Record<string, readonly string[]>>;
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
}

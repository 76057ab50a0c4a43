import type { Shape } from '../shapes/shape.ts';

export type { Shape };

/** The data of an operation that the client needs at run time. */
export interface OperationShape {
  /** All path parameters, and others with an int64, by location and name. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
  /** The media type of the request body, if it is another than application/json. */
  readonly bodyType?: string;
  /** The shape of the request body. */
  readonly body: Shape;
  /** The shapes of the response bodies, by status of success. */
  readonly responses: Readonly<Record<string, Shape>>;
}

/** The places of int64s in a value; `{}` for a value without any. */
export interface Shape {
  /** The value itself is an int64. */
  readonly int64?: true;
  /** Another shape of the same value, in `SCHEMAS` of generated/operations.ts. */
  readonly $ref?: string;
  /** Shapes of the same value, of which some or all apply. */
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  /** The shape of all other properties. */
  readonly additional?: Shape;
  /** The shapes of an array's first items. */
  readonly prefix?: readonly Shape[];
  /** The shape of its other items. */
  readonly items?: Shape;
}

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

/** Where int64s are in a value; `{}`: nowhere. */
export interface Shape {
  /** The value itself is an int64. */
  readonly int64?: true;
  /** A shape of `SCHEMAS` in generated/operations.ts applies to the same value. */
  readonly $ref?: string;
  /** These apply to the same value, or some of them. */
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  /** Of properties that are not named. */
  readonly additional?: Shape;
  /** Of the first items of an array. */
  readonly prefix?: readonly Shape[];
  /** Of its other items. */
  readonly items?: Shape;
}

/** What a client has to know of an operation at run time. */
export interface OperationShape {
  /** By location and name: all parameters of the path, and others that hold an int64. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, Shape>>>>;
  /** Of the JSON that is sent. */
  readonly body: Shape;
  /** Of the JSON that is received, by status of success. */
  readonly responses: Readonly<Record<string, Shape>>;
}

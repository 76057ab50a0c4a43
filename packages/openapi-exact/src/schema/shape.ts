/**
 * The places of the int64s in a value; `{}` for a value without any. An integer is a `bigint` where
 * any schema of its place says int64, whichever alternative holds: a type can tell places apart,
 * but not values.
 */
export interface Shape {
  /** The value itself is an int64, or another integer that may be beyond 2^53. */
  readonly int64?: true;
  /** It may be beyond an int64 too, such as a uint64. */
  readonly isWider?: true;
  /** The same schema allows others than integers too, such as texts. */
  readonly isOpen?: true;
  /** Another shape of the same value, by its pointer. */
  readonly $ref?: string;
  /** Shapes that all apply to the same value. */
  readonly allOf?: readonly Shape[];
  /** Shapes that may apply to the same value; `{}` for a shape without exact numbers. */
  readonly anyOf?: readonly Shape[];
  /** The shapes of properties by name, those without an int64 included beside `additional`. */
  readonly properties?: Readonly<Record<string, Shape>>;
  /** The shape of all other properties. */
  readonly additional?: Shape;
  /** The shapes of an array's first items. */
  readonly prefix?: readonly Shape[];
  /** The shape of its other items. */
  readonly items?: Shape;
}

/** The shape of a property, declared or not; undefined when no int64 is in it. */
export function propertyShape({ properties = {}, additional }: Shape, name: string): Shape | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additional;
}

/** The shape of an item; undefined when no int64 is in it. */
export function itemShape({ prefix = [], items }: Shape, index: number): Shape | undefined {
  return index < prefix.length ? prefix[index] : items;
}

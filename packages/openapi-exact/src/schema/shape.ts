/**
 * The places of formats in a value; `{}` for a value without any. A value has a format where any
 * schema of its place says so, whichever alternative holds: a type can tell places apart, but not
 * values.
 */
export interface Shape {
  /** The format of the value itself if it is a number: `int64`, or one with values of its own. */
  readonly numbers?: string;
  /** The format of the value itself if it is a text. */
  readonly texts?: string;
  /** The same schema allows others than values of the format, such as texts beside an int64. */
  readonly isOpen?: true;
  /** The JSON types of an alternative without format, as far as the schema says them. */
  readonly types?: readonly string[];
  /** Another shape of the same value, by its pointer. */
  readonly $ref?: string;
  /** Shapes that all apply to the same value. */
  readonly allOf?: readonly Shape[];
  /** Shapes of the same value, some of which may apply; `{}` for a shape without formats. */
  readonly anyOf?: readonly Shape[];
  /** The shapes of properties by name, those without a format included beside `additional`. */
  readonly properties?: Readonly<Record<string, Shape>>;
  /** The shape of all other properties. */
  readonly additional?: Shape;
  /** The shapes of an array's first items. */
  readonly prefix?: readonly Shape[];
  /** The shape of its other items. */
  readonly items?: Shape;
}

/** The shape of a property, declared or not; undefined when no format is in it. */
export function propertyShape({ properties = {}, additional }: Shape, name: string): Shape | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : additional;
}

/** The shape of an item; undefined when no format is in it. */
export function itemShape({ prefix = [], items }: Shape, index: number): Shape | undefined {
  return index < prefix.length ? prefix[index] : items;
}

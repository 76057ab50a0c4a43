import { getOrInsert } from '../json/get-or-insert.ts';
import { NOT_OF_FORMAT, type Codec, type Codecs } from './codec.ts';
import { itemShape, propertyShape, type Shape } from './shape.ts';

/** Shapes that others refer to, by pointer. */
export type Shapes = Readonly<Record<string, Shape>>;

/** The JSON types of values that may have a format. */
type Kind = 'numbers' | 'texts';
const TYPES: Readonly<Record<Kind | 'structures', RegExp>> = {
  numbers: /number|integer/,
  texts: /string/,
  structures: /object|array/,
};

/** A place of a value: all that the shapes of a contract say of it. */
export class Place {
  /** The formats that a number may have here, and a text. */
  readonly numbers: readonly Codec[];
  readonly texts: readonly Codec[];
  /** Whether an integer is a `bigint` here. */
  readonly isInt64: boolean;
  readonly #places: Places;
  /** The shapes that certainly apply, and all that may. */
  readonly #certain: readonly Shape[];
  readonly #shapes: readonly Shape[];
  /** The places of items by index, of properties by name, and of all undeclared properties. */
  readonly #parts = new Map<number | string | undefined, Place | undefined>();
  /** The names of declared properties. */
  readonly names: ReadonlySet<string>;
  /** How many first items have places of their own. */
  readonly longestPrefix: number;
  readonly #sure = new Map<string, boolean>();

  constructor(places: Places, certain: readonly Shape[], shapes: readonly Shape[]) {
    this.#places = places;
    this.#certain = certain;
    this.#shapes = shapes;
    this.numbers = places.codecsOf(shapes.map(({ numbers }) => numbers));
    this.texts = places.codecsOf(shapes.map(({ texts }) => texts));
    this.isInt64 = this.numbers.some(({ isBigint }) => isBigint);
    this.names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
    this.longestPrefix = Math.max(0, ...shapes.map(({ prefix = [] }) => prefix.length));
  }

  /** The value of a number that a double holds. @throws FormatError. */
  decodeDouble(value: number): unknown {
    const [first] = this.numbers;
    if (first === undefined) return value;
    if (this.numbers.length === 1 && first.isBigint) return Number.isInteger(value) ? BigInt(value) : value;
    const decoded = this.decode('numbers', String(value));
    return decoded === NOT_OF_FORMAT ? value : decoded;
  }

  /** The value of a text, or of the text of a number. @throws FormatError. */
  decode(kind: Kind, text: string): unknown {
    for (const codec of this[kind]) {
      const value = codec.decodeText(text, this.isOnly(kind));
      if (value !== NOT_OF_FORMAT) return value;
    }
    return NOT_OF_FORMAT;
  }

  /** Whether every number, or every text, has one format here. */
  isOnly(kind: Kind): boolean {
    const isOnlyOf = (shape: Shape): boolean => shape[kind] !== undefined || excludesTypes(shape, kind);
    return this[kind].length === 1 && this.#isSure(kind, isOnlyOf);
  }

  /** Whether every value but null has a format here that has a codec. */
  get areAllOfFormats(): boolean {
    return this.#isSure('values', (shape) => isOnlyOfFormats(shape) && this.#places.knows(shape));
  }

  /** Whether every value but null is a `bigint` here. */
  get areAllBigints(): boolean {
    return this.areAllOfFormats && [...this.numbers, ...this.texts].every(({ isBigint }) => isBigint);
  }

  /** Whether the contract may allow an object or a list here. */
  get allowsStructures(): boolean {
    return !this.#isSure('structures', (shape) => excludesTypes(shape, 'structures'));
  }

  #isSure(what: string, holds: (shape: Shape) => boolean): boolean {
    return getOrInsert(this.#sure, what, () => this.#places.areAll(this.#certain, holds));
  }

  /** The place of a property; undefined when no format is in it. */
  propertyPlace(name: string): Place | undefined {
    return this.names.has(name) ? this.#part(name, (shape) => propertyShape(shape, name)) : this.otherPlace;
  }

  /** The place of all properties without a name of their own; undefined when no format is in it. */
  get otherPlace(): Place | undefined {
    return this.#part(undefined, ({ additional }) => additional);
  }

  /** The place of an item; undefined when no format is in it. */
  itemPlace(index: number): Place | undefined {
    const key = Math.min(index, this.longestPrefix);
    return this.#part(key, (shape) => itemShape(shape, key));
  }

  #part(key: number | string | undefined, partOf: (shape: Shape) => Shape | undefined): Place | undefined {
    const known = this.#parts.get(key);
    if (known !== undefined || this.#parts.has(key)) return known;
    const part = this.#places.merged(this.#certain.map(partOf), this.#shapes.map(partOf));
    this.#parts.set(key, part);
    return part;
  }
}

/** The places of a contract. Shapes that refer to themselves lead back to places that are known. */
export class Places {
  readonly #referred: Shapes;
  readonly #codecs: Codecs;
  readonly #numbers = new Map<Shape, number>();
  readonly #known = new Map<string, Place>();

  /** @param referred the shapes that others refer to, by pointer. */
  constructor(referred: Shapes, codecs: Codecs) {
    this.#referred = referred;
    this.#codecs = codecs;
  }

  /** The place of a value with a shape; undefined when no format is in it. */
  placeOf(shape: Shape): Place | undefined {
    return this.merged([shape], [shape]);
  }

  /** The codecs of formats by their names, each once. */
  codecsOf(names: readonly (string | undefined)[]): readonly Codec[] {
    const codecs = names.map((name) => (name === undefined ? undefined : this.#codecs.get(name)));
    return [...new Set(codecs.filter((codec) => codec !== undefined))];
  }

  /** The place that several shapes describe. */
  merged(certain: readonly (Shape | undefined)[], possible: readonly (Shape | undefined)[]): Place | undefined {
    const all = this.#reached(possible, ({ allOf = [], anyOf = [] }) => [...allOf, ...anyOf]).filter(saysSomething);
    if (all.length === 0) return undefined;
    const sure = this.#reached(certain, allOfShape).filter(
      (shape) => saysSomething(shape) || shape.anyOf !== undefined,
    );
    const key = `${this.#keyOf(sure)} ${this.#keyOf(all)}`;
    return getOrInsert(this.#known, key, () => new Place(this, sure, all));
  }

  /** Whether all formats of a shape itself have codecs. */
  knows({ numbers, texts }: Shape): boolean {
    return [numbers, texts].every((format) => format === undefined || this.#codecs.has(format));
  }

  /** Whether something holds for one of some shapes itself, or for each of its alternatives. */
  areAll(certain: readonly Shape[], holds: (shape: Shape) => boolean, around: readonly Shape[] = []): boolean {
    return certain.some((shape) => {
      const { anyOf = [] } = shape;
      if (holds(shape) || anyOf.length === 0 || around.includes(shape)) return holds(shape);
      return anyOf.every((choice) => this.areAll(this.#reached([choice], allOfShape), holds, [...around, shape]));
    });
  }

  #keyOf(shapes: readonly Shape[]): string {
    const numbers = shapes.map((shape) => getOrInsert(this.#numbers, shape, () => this.#numbers.size + 1));
    return numbers.sort((a, b) => a - b).join();
  }

  /** The shapes, and all that they lead to, each once. */
  #reached(shapes: readonly (Shape | undefined)[], next: (shape: Shape) => readonly Shape[]): readonly Shape[] {
    const found = new Set(shapes.filter((shape) => shape !== undefined));
    // A set takes new members while it is iterated.
    for (const shape of found) {
      for (const reached of next(shape)) found.add(reached);
      const target = shape.$ref === undefined ? undefined : this.#referred[shape.$ref];
      if (target !== undefined) found.add(target);
    }
    return [...found];
  }
}

/** False for a shape that only leads to others. */
function saysSomething(shape: Shape): boolean {
  return Object.keys(shape).some((key) => !['$ref', 'allOf', 'anyOf', 'types'].includes(key));
}

function allOfShape({ allOf = [] }: Shape): readonly Shape[] {
  return allOf;
}

/** Whether all values that a shape itself allows have a format, but null. */
function isOnlyOfFormats({ numbers, texts, isOpen }: Shape): boolean {
  return (numbers ?? texts) !== undefined && isOpen !== true;
}

/** Whether a shape itself allows no value of some types. */
function excludesTypes(shape: Shape, kind: keyof typeof TYPES): boolean {
  const { types } = shape;
  if (types !== undefined) return !TYPES[kind].test(types.join());
  return isOnlyOfFormats(shape) && !(kind in shape);
}

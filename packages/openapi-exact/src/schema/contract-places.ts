import { getOrInsert } from '../json/get-or-insert.ts';
import { hasNumberType, isInteger } from './bigint.ts';
import { BIGINTS, NO_CODECS, type Codecs } from './codec.ts';
import { visitComposedPlaces } from './composed-places.ts';
import { SchemaShapes } from './contract-shapes.ts';
import { schemasOfDocument } from './document-schemas.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { Places, type Place } from './places.ts';
import { partsOf } from './schema-graph.ts';
import type { Shape } from './shape.ts';
import { bigintFormats, hasFormat, ownFormats, type FormatsOf, type ValueFormats } from './value-formats.ts';

/** A contract, as far as its places need it. */
interface Described {
  readonly document: OpenApiDocument;
}

/** The names of formats that the numbers and the texts of a schema may have by another alternative. */
export type MixedFormats = Readonly<Record<'numbers' | 'texts', ReadonlySet<string>>>;

const PLACES = new WeakMap<OpenApiDocument, WeakMap<Codecs, ContractPlaces>>();

/**
 * Where the values of a contract have formats: `bigint`s, and values of one's own. The one rule that
 * the server, the client's table, the generated types and the reference page ask.
 * @param own the codecs of one's own formats; of a format that has none, the names matter alone.
 */
export function placesOf({ document }: Described, own: Codecs = NO_CODECS): ContractPlaces {
  const known = getOrInsert(PLACES, document, () => new WeakMap<Codecs, ContractPlaces>());
  return getOrInsert(known, own, () => new ContractPlaces(document, own));
}

/** The places of formats in the values of a contract. */
export class ContractPlaces {
  /** The formats of a schema's own values. */
  readonly formatsOf: FormatsOf;
  readonly #document: OpenApiDocument;
  readonly #own: ReadonlySet<string>;
  readonly #shapes: SchemaShapes;
  readonly #places: Places;
  /** Of one's own formats alone, which responses have. */
  readonly #encoded: { readonly shapes: SchemaShapes; readonly places: Places } | undefined;
  #beside: ReadonlySet<Schema> | undefined;

  constructor(document: OpenApiDocument, own: Codecs) {
    this.#document = document;
    this.#own = new Set(own.keys());
    const ownOf = (schema: Schema): ValueFormats => ownFormats(schema, this.#own);
    this.formatsOf = (schema) => {
      const formats = own.size === 0 ? {} : ownOf(schema);
      return hasFormat(formats) ? formats : bigintFormats(schema);
    };
    const isOwn = (format: string | undefined): boolean => format !== undefined && this.#own.has(format);
    this.#shapes = new SchemaShapes(document, this.formatsOf, isOwn);
    this.#places = new Places(this.#shapes.referred, new Map([...BIGINTS, ...own]));
    if (own.size > 0) {
      const shapes = new SchemaShapes(document, ownOf, isOwn);
      this.#encoded = { shapes, places: new Places(shapes.referred, own) };
    }
  }

  /** The shape of a schema; `{}` when no format is in it. */
  shapeOfSchema(schema: unknown): Shape {
    return this.#shapes.shapeOfSchema(schema);
  }

  /** The shapes that others refer to, by pointer: those of the schemas that were asked for so far. */
  get referred(): Readonly<Record<string, Shape>> {
    return this.#shapes.referred;
  }

  /** The place of a value with a schema; undefined when no format is in it. */
  placeOf(schema: unknown): Place | undefined {
    return this.#places.placeOf(this.shapeOfSchema(schema));
  }

  /** The place of a value that is to be encoded; undefined when no format of one's own is in it. */
  encodedPlaceOf(schema: unknown): Place | undefined {
    return this.#encoded?.places.placeOf(this.#encoded.shapes.shapeOfSchema(schema));
  }

  /** Whether the integers of a schema may be beyond 2^53: by itself, or another one of its place. */
  hasLargeIntegers(schema: Schema): boolean {
    const { numbers } = this.formatsOf(schema);
    if (numbers !== undefined) return hasFormat(bigintFormats(schema)) || isInteger(schema);
    this.#beside ??= this.#findBeside();
    return this.#beside.has(schema);
  }

  /** The integer schemas of values for which another schema of their place has a format. */
  #findBeside(): ReadonlySet<Schema> {
    const beside = new Set<Schema>();
    const isOfFormat = (schema: Schema): boolean => this.formatsOf(schema).numbers !== undefined;
    this.#visit(schemasOfDocument(this.#document), isOfFormat, ({ possible, judging }) => {
      if (!possible.some(isOfFormat)) return;
      // Of another number, the same schema may allow a fraction, here or elsewhere.
      for (const schema of judging.filter(isInteger)) beside.add(schema);
    });
    return beside;
  }

  /**
   * The schemas whose values may have the format of another alternative of their place: where that
   * is an int64, an integer is a `bigint`, and a fraction a number.
   * @param schemas all of the document. @returns the formats of each, by their names.
   */
  mixedFormats(schemas: readonly Schema[]): ReadonlyMap<Schema, MixedFormats> {
    const mixed = new Map<Schema, Record<'numbers' | 'texts', Set<string>>>();
    const add = (schema: Schema, kind: 'numbers' | 'texts', format: string): void => {
      getOrInsert(mixed, schema, () => ({ numbers: new Set(), texts: new Set() }))[kind].add(format);
    };
    const isOfFormat = (schema: Schema): boolean => hasFormat(this.formatsOf(schema));
    const isComplete = this.#visit(schemas, isOfFormat, ({ possible }) => {
      for (const [kind, hasType] of KINDS) {
        const exact = possible.filter((schema) => this.formatsOf(schema)[kind] !== undefined);
        for (const described of exact) {
          const format = this.formatsOf(described)[kind] ?? '';
          const sameFormat = exact.filter((schema) => this.formatsOf(schema)[kind] === format);
          const certain = new Set(sameFormat.flatMap((schema) => partsOf(this.#document, schema)));
          for (const schema of possible) if (hasType(schema) && !certain.has(schema)) add(schema, kind, format);
        }
      }
    });
    // A place that was not visited may be one of any format.
    if (!isComplete) {
      for (const described of schemas.filter(isOfFormat)) {
        for (const [kind, hasType] of KINDS) {
          const format = this.formatsOf(described)[kind];
          if (format !== undefined) for (const schema of schemas.filter(hasType)) add(schema, kind, format);
        }
      }
    }
    return mixed;
  }

  #visit(
    schemas: readonly Schema[],
    isOfFormat: (schema: Schema) => boolean,
    visit: Parameters<typeof visitComposedPlaces>[3],
  ): boolean {
    const isScalar = (schema: Schema): boolean => hasNumberType(schema) || hasTextType(schema);
    const hasType = this.#own.size === 0 ? hasNumberType : isScalar;
    return visitComposedPlaces(this.#document, schemas, { isOfFormat, hasType }, visit);
  }
}

const KINDS = [
  ['numbers', hasNumberType],
  ['texts', hasTextType],
] as const;

/** True for a schema that allows texts by its type, or says nothing of types. */
function hasTextType({ type }: Schema): boolean {
  return type === undefined || [type].flat().includes('string');
}

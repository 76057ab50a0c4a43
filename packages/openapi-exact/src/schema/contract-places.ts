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
import { bigintFormats, hasFormat, customFormatsOf, type FormatsOf, type ValueFormats } from './value-formats.ts';

/** A contract, as far as its places need it. */
interface Described {
  readonly document: OpenApiDocument;
}

/** The formats that other alternatives give to the numbers and the texts of a schema. */
export type MixedFormats = Readonly<Record<'numbers' | 'texts', ReadonlySet<string>>>;

const PLACES = new WeakMap<OpenApiDocument, WeakMap<Codecs, ContractPlaces>>();

/**
 * Where the values of a contract have formats: `bigint`s, or values of custom formats. The server,
 * the client's table, the generated types and the reference page share this rule.
 * @param custom the codecs of custom formats. Only the keys matter to callers that need no values.
 */
export function placesOf({ document }: Described, custom: Codecs = NO_CODECS): ContractPlaces {
  const known = getOrInsert(PLACES, document, () => new WeakMap<Codecs, ContractPlaces>());
  return getOrInsert(known, custom, () => new ContractPlaces(document, custom));
}

/** The places of formats in the values of a contract. */
export class ContractPlaces {
  /** The formats of a schema's own values. */
  readonly formatsOf: FormatsOf;
  readonly #document: OpenApiDocument;
  readonly #custom: ReadonlySet<string>;
  readonly #shapes: SchemaShapes;
  readonly #places: Places;
  /** Of custom formats alone, which responses encode. */
  readonly #encoded: { readonly shapes: SchemaShapes; readonly places: Places } | undefined;
  #beside: ReadonlySet<Schema> | undefined;

  constructor(document: OpenApiDocument, custom: Codecs) {
    this.#document = document;
    this.#custom = new Set(custom.keys());
    const customOf = (schema: Schema): ValueFormats => customFormatsOf(schema, this.#custom);
    this.formatsOf = (schema) => {
      const formats = custom.size === 0 ? {} : customOf(schema);
      return hasFormat(formats) ? formats : bigintFormats(schema);
    };
    const isCustom = (format: string | undefined): boolean => format !== undefined && this.#custom.has(format);
    this.#shapes = new SchemaShapes(document, this.formatsOf, isCustom);
    this.#places = new Places(this.#shapes.referred, new Map([...BIGINTS, ...custom]));
    if (custom.size > 0) {
      const shapes = new SchemaShapes(document, customOf, isCustom);
      this.#encoded = { shapes, places: new Places(shapes.referred, custom) };
    }
  }

  /** The shape of a schema; `{}` when no format is in it. */
  shapeOfSchema(schema: unknown): Shape {
    return this.#shapes.shapeOfSchema(schema);
  }

  /** The referenced shapes, by pointer, of all schemas that were asked for so far. */
  get referred(): Readonly<Record<string, Shape>> {
    return this.#shapes.referred;
  }

  /** The place of a value with a schema; undefined when no format is in it. */
  placeOf(schema: unknown): Place | undefined {
    return this.#places.placeOf(this.shapeOfSchema(schema));
  }

  /** The place of a value that is to be encoded; undefined when no custom format is in it. */
  encodedPlaceOf(schema: unknown): Place | undefined {
    return this.#encoded?.places.placeOf(this.#encoded.shapes.shapeOfSchema(schema));
  }

  /** Whether a schema, or another one of the same place, allows integers beyond 2^53. */
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
    const hasType = this.#custom.size === 0 ? hasNumberType : isScalar;
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

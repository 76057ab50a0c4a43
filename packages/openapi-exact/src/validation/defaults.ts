import { fieldsOf, list, own, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { schemasOfProperty } from '../schema/property-schemas.ts';
import { Refused, type Diagnostic } from '../errors/diagnostic.ts';
import { partsOf } from '../schema/schema-graph.ts';
import { SchemasWithDefaults } from '../schema/schemas-with-defaults.ts';
import { copyJson } from '../json/copy-json.ts';
import { ValueCount } from '../json/value-count.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import type { Place } from '../schema/places.ts';
import { completeValue, type DefaultsOf } from './complete-values.ts';

const ENDLESS =
  'the default is completed with a property that has the same default, without end: leave one of them out.';

/** Defaults that are known, by place and the numbers of their schemas. */
type Known = Map<Place | undefined, Map<string, DefaultsOf>>;

/** Maximum number of sets of schemas whose defaults are kept: a contract may have many more. */
const MOST_KNOWN = 10_000;

/** The defaults of a contract: those of schemas that always hold, not of alternatives. */
export class Defaults {
  readonly #document: OpenApiDocument;
  readonly #schemas: SchemasWithDefaults;
  readonly #known: Known = new Map();
  /** The schemas whose defaults are being completed. */
  readonly #open = new Set<Schema>();
  /** Those at places that several patterns describe together: a message chooses which. */
  readonly #combined = new WeakMap<ValueCount, Known>();
  #count = 0;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#schemas = new SchemasWithDefaults(document);
  }

  /**
   * The defaults of a value with these schemas, whose place is known; undefined without any.
   * @param all those that are known. @param combinations counts those that are not.
   */
  defaultsOf(
    schemas: readonly unknown[],
    place: Place | undefined,
    all = this.#known,
    combinations?: ValueCount,
  ): DefaultsOf | undefined {
    const relevant = this.#schemas.among(schemas);
    if (relevant.length === 0) return undefined;
    const key = this.#schemas.keyOf(relevant);
    const known = getOrInsert(all, place, () => new Map<string, DefaultsOf>());
    return getOrInsert(known, key, () => {
      combinations?.addCombination();
      if (combinations === undefined) this.#count += 1;
      // Two schemas of one place may have the same parts, in particular where they are recursive.
      const certain = new Set(relevant.flatMap((schema) => partsOf(this.#document, schema)));
      return new PlaceDefaults(this, [...certain], place, all);
    });
  }

  /** Whether further defaults are not kept, but made for each message. */
  get isFull(): boolean {
    return this.#count >= MOST_KNOWN;
  }

  /** What is known of combinations of patterns for one message. */
  combined(count: ValueCount): Known {
    return getOrInsert(this.#combined, count, () => new Map());
  }

  /**
   * The properties of schemas with the values that they have by default.
   * @throws Refused for a default that contains itself.
   */
  presets(certain: readonly Schema[], place: Place | undefined): ReadonlyMap<string, unknown> {
    const presets = new Map<string, unknown>();
    for (const { properties } of certain) {
      for (const [name, property] of Object.entries(fieldsOf(properties))) {
        const described = partsOf(this.#document, property).find((part) => part['default'] !== undefined);
        const preset = described?.['default'];
        const isHidden = certain.some((schema) => this.#schemas.isHidden(own(schema['properties'], name)));
        if (described === undefined || preset === undefined || isHidden) continue;
        if (this.#open.has(described)) throw new Refused([{ node: described, key: 'default', reason: ENDLESS }]);
        this.#open.add(described);
        try {
          const inside = place?.propertyPlace(name);
          const defaults = this.defaultsOf([property], inside);
          const count = new ValueCount(Infinity);
          // Constants of the contract may be beyond doubles.
          count.isPlain = false;
          presets.set(name, completeValue(copyJson(preset), { place: inside, defaults }, name, count));
        } finally {
          this.#open.delete(described);
        }
      }
    }
    return presets;
  }
}

/** The place of a default that contains itself. */
export function endlessDefault(document: OpenApiDocument, schemas: Iterable<Schema>): readonly Diagnostic[] {
  const defaults = new Defaults(document);
  for (const schema of schemas) {
    try {
      defaults.presets([schema], undefined);
    } catch (error) {
      if (error instanceof Refused) return error.diagnostics;
      // Without its place, a default that is an int64 may not be exact.
      if (!(error instanceof MismatchError)) throw error;
    }
  }
  return [];
}

class PlaceDefaults implements DefaultsOf {
  readonly #defaults: Defaults;
  readonly #certain: readonly Schema[];
  readonly #place: Place | undefined;
  readonly #known: Known;
  #properties: ReadonlyMap<string, unknown> | undefined;

  constructor(defaults: Defaults, certain: readonly Schema[], place: Place | undefined, known: Known) {
    this.#defaults = defaults;
    this.#certain = certain;
    this.#place = place;
    this.#known = known;
  }

  get properties(): ReadonlyMap<string, unknown> {
    this.#properties ??= this.#defaults.presets(this.#certain, this.#place);
    return this.#properties;
  }

  propertyDefaults(name: string, count: ValueCount): DefaultsOf | undefined {
    const found = this.#certain.map((schema) => schemasOfProperty(schema, name));
    const place = this.#place?.propertyPlace(name);
    // A declared name always matches the same patterns; of other names, a message chooses.
    const chosen = found.filter(({ named }) => named.length === 0).flatMap(({ matched }) => matched);
    const isCombined = chosen.length > 1 || this.#defaults.isFull;
    const known = isCombined ? this.#defaults.combined(count) : this.#known;
    return this.#defaults.defaultsOf(
      found.flatMap(({ named, matched, additional }) => [...named, ...matched, ...additional]),
      place,
      known,
      isCombined ? count : undefined,
    );
  }

  itemDefaults(index: number): DefaultsOf | undefined {
    const schemas = this.#certain.map(({ prefixItems, items }) => list(prefixItems)[index] ?? items);
    return this.#defaults.defaultsOf(schemas, this.#place?.itemPlace(index), this.#known);
  }
}

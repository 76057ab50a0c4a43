import { fieldsOf, isSchema, list, own, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { schemasOfProperty } from '../schema/property-schemas.ts';
import { Refused, type Diagnostic } from '../errors/diagnostic.ts';
import { partsOf } from '../schema/schema-graph.ts';
import { SchemasWithDefaults } from '../schema/schemas-with-defaults.ts';
import { copyJson } from '../json/copy-json.ts';
import { ValueCount } from '../json/value-count.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { messageOf } from '../errors/errors.ts';
import { FormatError } from '../schema/codec.ts';
import type { ContractPlaces } from '../schema/contract-places.ts';
import type { Place } from '../schema/places.ts';
import { completeValue, type DefaultsOf } from './complete-values.ts';

const ENDLESS =
  'the default is completed with a property that has the same default, without end: leave one of them out.';

/** Defaults that are known, by place and the numbers of their schemas. */
type Known = Map<Place | undefined, Map<string, PlaceDefaults>>;

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
  ): PlaceDefaults | undefined {
    const relevant = this.#schemas.among(schemas);
    if (relevant.length === 0) return undefined;
    const key = this.#schemas.keyOf(relevant);
    const known = getOrInsert(all, place, () => new Map<string, PlaceDefaults>());
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
    for (const [name, { described, property }] of this.describedDefaults(certain)) {
      if (this.#open.has(described)) throw new Refused([{ node: described, key: 'default', reason: ENDLESS }]);
      this.#open.add(described);
      try {
        const inside = place?.propertyPlace(name);
        const defaults = this.defaultsOf([property], inside);
        presets.set(
          name,
          completeValue(copyJson(described['default']), { place: inside, defaults }, name, constants()),
        );
      } finally {
        this.#open.delete(described);
      }
    }
    return presets;
  }

  /** The properties with a default, each with the part that has it and the whole schema. */
  *describedDefaults(
    certain: readonly Schema[],
  ): Generator<readonly [name: string, { readonly described: Schema; readonly property: unknown }]> {
    for (const { properties } of certain) {
      for (const [name, property] of Object.entries(fieldsOf(properties))) {
        const described = partsOf(this.#document, property).find((part) => part['default'] !== undefined);
        const isHidden = certain.some((schema) => this.#schemas.isHidden(own(schema['properties'], name)));
        if (described !== undefined && !isHidden) yield [name, { described, property }];
      }
    }
  }
}

/** The count of values that the contract has: its constants may be beyond doubles. */
function constants(): ValueCount {
  const count = new ValueCount(Infinity);
  count.isPlain = false;
  return count;
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

/**
 * The defaults of requests that the author's functions cannot decode: each request that leaves such
 * a value out would be refused.
 * @param schemas of the parts of requests.
 */
export function undecodableDefaults(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  places: ContractPlaces,
): readonly Diagnostic[] {
  const defaults = new Defaults(document);
  const diagnostics = new Map<Schema, Diagnostic>();
  const found = new Set(schemas.map((schema) => defaults.defaultsOf([schema], places.placeOf(schema))));
  // A set takes new members while it is iterated.
  for (const placeDefaults of found) {
    if (placeDefaults === undefined) continue;
    for (const diagnostic of placeDefaults.undecodable()) diagnostics.set(diagnostic.node, diagnostic);
    if (!defaults.isFull) for (const inner of placeDefaults.inner(places)) found.add(inner);
  }
  return [...diagnostics.values()];
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

  propertyDefaults(name: string, count: ValueCount): PlaceDefaults | undefined {
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

  itemDefaults(index: number): PlaceDefaults | undefined {
    const schemas = this.#certain.map(({ prefixItems, items }) => list(prefixItems)[index] ?? items);
    return this.#defaults.defaultsOf(schemas, this.#place?.itemPlace(index), this.#known);
  }

  /** The places of the defaults that the author's functions cannot decode. */
  *undecodable(): Generator<Diagnostic & { readonly node: Schema }> {
    for (const [name, { described }] of this.#defaults.describedDefaults(this.#certain)) {
      const [fault] = faultsOf(described['default'], this.#place?.propertyPlace(name));
      if (fault !== undefined) yield { node: described, key: 'default', reason: undecodable(fault) };
    }
  }

  /** The defaults within properties and items; for undeclared names, those of each schema alone. */
  *inner(places: ContractPlaces): Generator<PlaceDefaults | undefined> {
    const names = new Set(this.#certain.flatMap(({ properties }) => Object.keys(fieldsOf(properties))));
    for (const name of names) {
      const schemas = this.#certain.flatMap((schema): readonly unknown[] => {
        const { named, matched, additional } = schemasOfProperty(schema, name);
        return [...named, ...matched, ...additional];
      });
      yield this.#defaults.defaultsOf(schemas, this.#place?.propertyPlace(name));
    }
    for (const { patternProperties, additionalProperties } of this.#certain) {
      const unnamed = [...Object.values(fieldsOf(patternProperties)), additionalProperties].filter(isSchema);
      for (const schema of unnamed) yield this.#defaults.defaultsOf([schema], places.placeOf(schema));
    }
    const prefix = Math.max(0, ...this.#certain.map(({ prefixItems }) => list(prefixItems).length));
    for (let index = 0; index <= prefix; index++) yield this.itemDefaults(index);
  }
}

/** The texts in a default that are not of their formats. */
function faultsOf(preset: unknown, place: Place | undefined): readonly MismatchError[] {
  const faults: MismatchError[] = [];
  try {
    completeValue(copyJson(preset), { place, defaults: undefined }, 'default', constants(), faults);
  } catch (error) {
    // A number without format that a double does not hold: no codec has refused it.
    if (!(error instanceof MismatchError)) throw error;
  }
  return faults;
}

/** Why a default is refused. */
function undecodable({ place, cause }: MismatchError): string {
  const { format = '', cause: thrown } = cause instanceof FormatError ? cause : {};
  const inside = place.slice('/default'.length);
  const what = inside === '' ? 'the default' : `${inside} of the default`;
  const why = thrown === undefined ? '' : ` (${messageOf(thrown)})`;
  return `${what} is nothing that \`decode\` of the format '${format}' takes${why}: give another, or leave it out.`;
}

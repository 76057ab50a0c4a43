import { HiddenProperties } from '../document/hidden-properties.ts';
import { isObject, isSchema, list, own, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { expressionOf } from '../document/pattern.ts';
import { partsOf, reaching } from '../document/schema-graph.ts';
import { ValueCount } from '../numbers/value-count.ts';
import { getOrInsert } from '../get-or-insert.ts';
import type { Place } from '../shapes/places.ts';
import { exactValue } from './exact-values.ts';

/** The defaults at one place of a value. */
export interface DefaultsOf {
  /** The values of properties that a message leaves out. */
  readonly properties: ReadonlyMap<string, unknown>;
  propertyDefaults(name: string): DefaultsOf | undefined;
  itemDefaults(index: number): DefaultsOf | undefined;
}

/** The defaults of a contract: those of schemas that always hold, not of alternatives. */
export class Defaults {
  readonly #document: OpenApiDocument;
  readonly #readOnly: HiddenProperties;
  readonly #holdsDefault: (schema: Schema) => boolean;
  readonly #numbers = new Map<Schema, number>();
  readonly #known = new Map<Place | undefined, Map<string, DefaultsOf>>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#readOnly = new HiddenProperties(document, 'readOnly');
    this.#holdsDefault = reaching(document, (schema) => schema['default'] !== undefined);
  }

  /** The defaults of a value with these schemas, whose place is known; undefined without any. */
  defaultsOf(schemas: readonly unknown[], place: Place | undefined): DefaultsOf | undefined {
    const relevant = schemas.filter(isSchema).filter(this.#holdsDefault);
    if (relevant.length === 0) return undefined;
    const key = relevant.map((schema) => getOrInsert(this.#numbers, schema, () => this.#numbers.size)).join();
    const known = getOrInsert(this.#known, place, () => new Map<string, DefaultsOf>());
    return getOrInsert(known, key, () => {
      const certain = relevant.flatMap((schema) => partsOf(this.#document, schema));
      return new PlaceDefaults(this, certain, place);
    });
  }

  /** The properties of schemas with the values that they have by default. */
  presets(certain: readonly Schema[], place: Place | undefined): ReadonlyMap<string, unknown> {
    const presets = new Map<string, unknown>();
    for (const { properties } of certain) {
      for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
        const preset = partsOf(this.#document, property).find((part) => part['default'] !== undefined)?.['default'];
        const isHidden = certain.some((schema) => this.#readOnly.isHidden(own(schema['properties'], name)));
        if (preset === undefined || isHidden) continue;
        const inside = place?.propertyPlace(name);
        presets.set(
          name,
          exactValue(preset, inside, this.defaultsOf([property], inside), name, new ValueCount(Infinity)),
        );
      }
    }
    return presets;
  }
}

class PlaceDefaults implements DefaultsOf {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly #defaults: Defaults;
  readonly #certain: readonly Schema[];
  readonly #place: Place | undefined;

  constructor(defaults: Defaults, certain: readonly Schema[], place: Place | undefined) {
    this.#defaults = defaults;
    this.#certain = certain;
    this.#place = place;
    this.properties = defaults.presets(certain, place);
  }

  propertyDefaults(name: string): DefaultsOf | undefined {
    return this.#defaults.defaultsOf(
      this.#certain.flatMap((schema) => schemasOfProperty(schema, name)),
      this.#place?.propertyPlace(name),
    );
  }

  itemDefaults(index: number): DefaultsOf | undefined {
    const schemas = this.#certain.map(({ prefixItems, items }) => list(prefixItems)[index] ?? items);
    return this.#defaults.defaultsOf(schemas, this.#place?.itemPlace(index));
  }
}

/** The schemas of a property in the keywords of one schema. */
function schemasOfProperty({ properties, patternProperties, additionalProperties }: Schema, name: string): unknown[] {
  const named = own(properties, name);
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const fitting = patterns.filter(([pattern]) => expressionOf(pattern).test(name)).map(([, schema]) => schema);
  const all = [...(named === undefined ? [] : [named]), ...fitting];
  return all.length > 0 ? all : [additionalProperties];
}

import { isLosslessNumber } from 'lossless-json';
import type { DeclaredJson } from '../json/declared-json.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { setOwn } from '../json/set-own.ts';
import { ANY, MergedSchemas } from '../schema/merged-schemas.ts';
import { list, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { reaching } from '../schema/schema-graph.ts';
import { Admission } from './admission.ts';
import { SchemaChoices } from './schema-choices.ts';
import { declaredItem, declaredProperty, keepsUndeclared, restricts, type SchemaGroup } from './schema-group.ts';

/** The most places that are kept: patterns and choices may combine to endlessly many. */
const MOST_KEPT = 20_000;

/** The cached results for a document. */
class Known {
  readonly choices: SchemaChoices;
  /** Whether a schema, or a schema that it leads to, leaves something out. */
  readonly restricts: (schema: Schema) => boolean;
  readonly merged: MergedSchemas;
  readonly places = new Map<Schema, DeclaredPlace>();
  /** The places of values whose alternatives are decided, by the alternatives. */
  readonly decided = new Map<Schema, Map<string, DeclaredPlace>>();
  count = 0;

  constructor(document: OpenApiDocument, customFormats: ReadonlySet<string>) {
    this.choices = new SchemaChoices(document, customFormats);
    this.restricts = reaching(document, restricts);
    this.merged = new MergedSchemas(document);
  }
}

/** What the schemas of a document declare of responses, property by property. */
export class DeclaredProperties {
  readonly #document: OpenApiDocument;
  readonly #customFormats: ReadonlySet<string>;
  #known: Known;

  /** @param customFormats the names of custom formats. */
  constructor(document: OpenApiDocument, customFormats: ReadonlySet<string>) {
    this.#document = document;
    this.#customFormats = customFormats;
    this.#known = new Known(document, customFormats);
  }

  get choices(): SchemaChoices {
    return this.#known.choices;
  }

  /** What a schema declares of a value, whichever alternatives the value fits. */
  placeOf(schema: Schema): DeclaredPlace {
    const { places, choices } = this.#known;
    return getOrInsert(places, schema, () => this.#place(schema, choices.groupOf(schema)));
  }

  /** What a schema declares of a value by the alternatives that the value fits. */
  decidedPlace(schema: Schema, value: object, admission: Admission): DeclaredPlace {
    const { choices, decided } = this.#known;
    if (!choices.isChoice(schema)) return this.placeOf(schema);
    const chosen: string[] = [];
    const group = choices.groupOf(schema, { value, admission, chosen });
    const known = getOrInsert(decided, schema, () => new Map<string, DeclaredPlace>());
    return getOrInsert(known, chosen.join(), () => this.#place(schema, group));
  }

  /** One schema of several: the same ones give the same object. */
  composed(keyword: 'allOf' | 'anyOf', schemas: readonly Schema[]): Schema {
    return this.#known.merged.composed(keyword, schemas);
  }

  #place(schema: Schema, group: SchemaGroup): DeclaredPlace {
    if (this.#known.count >= MOST_KEPT) this.#known = new Known(this.#document, this.#customFormats);
    this.#known.count += 1;
    return new DeclaredPlace(this, schema, group, !this.#known.restricts(schema));
  }
}

/** Stands for all properties that the contract does not name. */
const UNNAMED = Symbol('unnamed');

/** What is declared at one place of a response. */
export class DeclaredPlace implements DeclaredJson {
  readonly isOpen: boolean;
  readonly #declared: DeclaredProperties;
  readonly #schema: Schema;
  readonly #group: SchemaGroup;
  /** The schemas of the properties that the contract names; undefined for what is taken out. */
  readonly #named = new Map<string | typeof UNNAMED, Schema | undefined>();
  readonly #items = new Map<number, Schema>();
  readonly #keepsUndeclared: boolean;
  /** Whether the schema of a property that the contract does not name depends on its name. */
  readonly #hasPatterns: boolean;
  /** The number of the items that have schemas of their own. */
  readonly #prefix: number;

  constructor(declared: DeclaredProperties, schema: Schema, group: SchemaGroup, isOpen: boolean) {
    this.#declared = declared;
    this.#schema = schema;
    this.#group = group;
    this.isOpen = isOpen;
    this.#keepsUndeclared = keepsUndeclared(group);
    this.#hasPatterns = group.all.some(({ patternProperties }) => patternProperties !== undefined);
    this.#prefix = Math.max(...group.all.map(({ prefixItems }) => list(prefixItems).length));
  }

  propertyOf(name: string): DeclaredPlace | undefined {
    const schema = this.propertySchema(name);
    return schema && this.#declared.placeOf(schema);
  }

  itemOf(index: number): DeclaredPlace {
    return this.#declared.placeOf(this.itemSchema(index));
  }

  /** The schema of a property; undefined for an undeclared property. */
  propertySchema(name: string): Schema | undefined {
    const isNamed = this.#group.names.has(name);
    // Names that the contract does not have are endlessly many.
    if (!isNamed && this.#hasPatterns) return this.#propertySchema(name);
    const key = isNamed ? name : UNNAMED;
    if (!this.#named.has(key)) this.#named.set(key, this.#propertySchema(name));
    return this.#named.get(key);
  }

  itemSchema(index: number): Schema {
    return getOrInsert(
      this.#items,
      Math.min(index, this.#prefix),
      () => declaredItem(this.#group, index, (...composed) => this.#declared.composed(...composed)) ?? ANY,
    );
  }

  decided(copy: unknown): unknown {
    if (!this.#declared.choices.reachesChoice(this.#schema)) return copy;
    return new Decision(this.#declared).decide(copy, this.#schema);
  }

  #propertySchema(name: string): Schema | undefined {
    const found = declaredProperty(this.#group, name, (...composed) => this.#declared.composed(...composed));
    return found ?? (this.#keepsUndeclared ? ANY : undefined);
  }
}

/** Takes out of one message what the alternatives that its values fit do not declare. */
class Decision {
  readonly #declared: DeclaredProperties;
  readonly #admission: Admission;

  constructor(declared: DeclaredProperties) {
    this.#declared = declared;
    this.#admission = new Admission(declared.choices);
  }

  decide(value: unknown, schema: Schema): unknown {
    if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
    const place = this.#declared.decidedPlace(schema, value, this.#admission);
    if (place.isOpen) return value;
    if (Array.isArray(value)) {
      const items: unknown[] = value;
      return items.map((item, index) => this.decide(item, place.itemSchema(index)));
    }
    const kept: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(value)) {
      const declared = place.propertySchema(name);
      if (declared !== undefined) setOwn(kept, name, this.decide(property, declared));
    }
    return kept;
  }
}

import { getOrInsert } from '../json/get-or-insert.ts';
import { discriminatedBy, toldApartBy, type Discriminated } from '../schema/choices.ts';
import { Heirs } from '../schema/heirs.ts';
import { HiddenProperties } from '../schema/hidden-properties.ts';
import {
  fieldsOf,
  isSchema,
  lastKey,
  list,
  own,
  targetOf,
  type OpenApiDocument,
  type Schema,
} from '../schema/openapi-document.ts';
import { partsOf, reaching } from '../schema/schema-graph.ts';
import { chosenBy, type Admission, type Judged } from './admission.ts';
import { SchemaGroup } from './schema-group.ts';

/** The value for which choices are decided. */
interface Decided {
  readonly value: object;
  readonly admission: Admission;
  /** Receives a key of each alternative that is chosen. */
  readonly chosen: string[];
}

/** A schema that extends another one with a discriminator. */
interface Heir {
  readonly $ref: string;
  readonly schema: Schema;
}

const CHOICES = ['oneOf', 'anyOf', 'if', 'dependentSchemas'];
const NOTHING: Schema = Object.freeze({});

/** Finds the schemas that declare the properties of a value, through all that leads to them. */
export class SchemaChoices implements Judged {
  readonly document: OpenApiDocument;
  readonly hidden: HiddenProperties;
  readonly customFormats: ReadonlySet<string>;
  /** Whether a schema, or one for a part of its values, has alternatives. */
  readonly reachesChoice: (schema: Schema) => boolean;
  readonly #heirs: Heirs;
  readonly #discriminated = new Map<Schema, Discriminated | undefined>();
  readonly #areChoices = new Map<Schema, boolean>();
  readonly #numbers = new Map<Schema, number>();

  constructor(document: OpenApiDocument, customFormats: ReadonlySet<string>) {
    this.document = document;
    this.customFormats = customFormats;
    this.hidden = new HiddenProperties(document, 'writeOnly');
    this.#heirs = new Heirs(document);
    this.reachesChoice = reaching(document, (schema) => this.#hasChoice(schema));
  }

  /** Whether a schema itself has alternatives for its value. */
  isChoice(schema: Schema): boolean {
    return getOrInsert(this.#areChoices, schema, () =>
      partsOf(this.document, schema).some((part) => this.#hasChoice(part)),
    );
  }

  /** The choice that a property of the value decides, by a discriminator or by constants. */
  discriminatedBy(schema: Schema): Discriminated | undefined {
    return getOrInsert(
      this.#discriminated,
      schema,
      () => discriminatedBy(this.document, schema) ?? toldApartBy(this.document, schema),
    );
  }

  /** The schemas that hold for a value, with all alternatives unless they are decided. */
  groupOf(schema: Schema, decided?: Decided, around: ReadonlySet<Schema> = new Set()): SchemaGroup {
    const schemas = partsOf(this.document, schema);
    const within = new Set([...around, ...schemas]);
    const choices = schemas
      .flatMap((part) => this.#choicesOf(part, schemas, decided))
      .map((alternatives) => alternatives.map((alternative) => (alternative === true ? NOTHING : alternative)))
      .map((alternatives) => alternatives.filter(isSchema))
      .filter((alternatives) => alternatives.length > 0)
      .map((alternatives) => {
        // What holds already adds nothing: a schema may lead back to itself.
        const further = alternatives.map((alternative) => (within.has(alternative) ? NOTHING : alternative));
        decided?.chosen.push(further.map((alternative) => this.#numberOf(alternative)).join('|'), '(');
        const groups = further.map((alternative) => this.groupOf(alternative, decided, within));
        decided?.chosen.push(')');
        return groups;
      });
    return new SchemaGroup(schemas, choices, this.hidden);
  }

  #hasChoice(schema: Schema): boolean {
    return CHOICES.some((keyword) => keyword in schema) || this.#heirs.heirsOfSchema(schema).length > 0;
  }

  /** The choices of a schema, each with the alternatives that the value may fit. */
  #choicesOf(schema: Schema, beside: readonly Schema[], decided: Decided | undefined): readonly (readonly unknown[])[] {
    return [
      ...this.#alternatives(schema, decided),
      ...conditions(schema, decided),
      ...dependents(schema, decided),
      this.#heirsOf(schema, beside, decided),
    ];
  }

  #alternatives(schema: Schema, decided: Decided | undefined): readonly (readonly unknown[])[] {
    const choices = [schema['oneOf'], schema['anyOf']].filter(Array.isArray).map((choice) => list(choice));
    if (decided === undefined || choices.length === 0) return choices;
    const { value, admission } = decided;
    const named = chosenBy(this.discriminatedBy(schema), value);
    if (named !== undefined && named.length > 0) return [named];
    return choices.map((choice) => admission.admitting(choice, value));
  }

  /** Of a schema with a discriminator, those that extend it and that the value names. */
  #heirsOf(schema: Schema, beside: readonly Schema[], decided: Decided | undefined): readonly unknown[] {
    const references = this.#heirs.heirsOfSchema(schema);
    if (references.length === 0) return [];
    const heirs = references.map(($ref): Heir => ({ $ref, schema: targetOf(this.document, $ref) }));
    // One that holds already is the more specific.
    if (heirs.some((heir) => beside.includes(heir.schema))) return [];
    if (decided === undefined) return [NOTHING, ...heirs.map((heir) => heir.schema)];
    const bases = partsOf(this.document, schema);
    const discriminators = bases.map(({ discriminator }) => discriminator).filter(isSchema);
    return heirs
      .filter((heir) =>
        discriminators.some((discriminator) => this.#isNamed(heir, bases, discriminator, decided.value)),
      )
      .map((heir) => heir.schema);
  }

  /** Whether a value names an heir, by a mapping, its name, or a constant that it allows. */
  #isNamed({ $ref, schema }: Heir, bases: readonly Schema[], discriminator: Schema, value: object): boolean {
    const property = String(discriminator['propertyName']);
    const name = own(value, property);
    const mapped = (typeof name === 'string' ? own(discriminator['mapping'], name) : undefined) ?? name;
    if (mapped === $ref || mapped === lastKey($ref)) return true;
    const added = partsOf(this.document, schema).filter((part) => !bases.includes(part));
    return added
      .map((part) => own(part['properties'], property))
      .some((described) => own(described, 'const') === mapped || list(own(described, 'enum')).includes(mapped));
  }

  #numberOf(schema: Schema): number {
    return getOrInsert(this.#numbers, schema, () => this.#numbers.size);
  }
}

/** What `if`, `then` and `else` declare: a condition names properties whether it holds or not. */
function conditions(
  { if: condition, then, else: otherwise }: Schema,
  decided: Decided | undefined,
): readonly (readonly unknown[])[] {
  if (condition === undefined) return [];
  const named = [condition, NOTHING];
  const verdict = decided?.admission.verdict(condition, decided.value) ?? 'maybe';
  if (verdict === 'maybe') return [named, [then ?? NOTHING, otherwise ?? NOTHING]];
  return [named, [verdict === 'yes' ? then : otherwise]];
}

function dependents({ dependentSchemas }: Schema, decided: Decided | undefined): readonly (readonly unknown[])[] {
  const schemas = Object.entries(fieldsOf(dependentSchemas));
  if (decided === undefined) return schemas.map(([, schema]) => [schema, NOTHING]);
  return schemas.filter(([name]) => Object.hasOwn(decided.value, name)).map(([, schema]) => [schema]);
}

import type { HiddenProperties } from '../schema/hidden-properties.ts';
import { fieldsOf, isObject, isSchema, list, own, type Schema } from '../schema/openapi-document.ts';
import { schemasOfPatterns } from '../schema/pattern.ts';

/** Schemas that hold together for one value. */
export class SchemaGroup {
  readonly schemas: readonly Schema[];
  /** Of each choice, the alternatives that the value may fit. */
  readonly choices: readonly (readonly SchemaGroup[])[];
  readonly #hidden: HiddenProperties;
  #names: ReadonlySet<string> | undefined;

  constructor(schemas: readonly Schema[], choices: readonly (readonly SchemaGroup[])[], hidden: HiddenProperties) {
    this.schemas = schemas;
    this.choices = choices;
    this.#hidden = hidden;
  }

  /** The names of properties in all of the schemas, those that are required among them. */
  get names(): ReadonlySet<string> {
    this.#names ??= new Set([
      ...this.schemas.flatMap(mentionedNames),
      ...this.choices.flat().flatMap(({ names }) => [...names]),
    ]);
    return this.#names;
  }

  /** The schemas of this group and of all alternatives. */
  get all(): readonly Schema[] {
    return [...this.schemas, ...this.choices.flat().flatMap(({ all }) => all)];
  }

  /** Whether no response has a property, such as one that is write-only. */
  hides(name: string): boolean {
    return this.schemas.some(({ properties }) => this.#hidden.isHidden(own(properties, name)));
  }
}

/** Makes one schema of several. */
type Compose = (keyword: 'allOf' | 'anyOf', schemas: readonly Schema[]) => Schema;

/** Allows no value: the schema of a property that is taken out although it is named. */
const FORBIDDEN: Schema = Object.freeze({ not: {} });
/** Allows all values. */
const ALL: Schema = Object.freeze({});

/** True for a schema that says which properties there are. */
export function restricts({ properties, patternProperties, ...others }: Schema): boolean {
  const { additionalProperties, unevaluatedProperties } = others;
  return (
    isObject(properties) ||
    isObject(patternProperties) ||
    additionalProperties === false ||
    unevaluatedProperties === false
  );
}

/**
 * Whether undeclared properties stay: one of the schemas allows them by a schema or by `true`, or
 * none says which properties there are.
 */
export function keepsUndeclared(group: SchemaGroup): boolean {
  return isExtensible(group) || !isRestricted(group);
}

function isExtensible({ schemas, choices }: SchemaGroup): boolean {
  const allows = (keyword: unknown): boolean => keyword === true || isSchema(keyword);
  return (
    schemas.some(
      ({ additionalProperties, unevaluatedProperties }) =>
        allows(additionalProperties) || allows(unevaluatedProperties),
    ) || choices.some((alternatives) => alternatives.some(isExtensible))
  );
}

function isRestricted({ schemas, choices }: SchemaGroup): boolean {
  const isRestrictedChoice = (alternatives: readonly SchemaGroup[]): boolean => alternatives.every(isRestricted);
  return schemas.some(restricts) || choices.some(isRestrictedChoice);
}

/** The schema of a property; undefined where no schema of a group declares it. */
export function declaredProperty(group: SchemaGroup, name: string, compose: Compose): Schema | undefined {
  const found = propertySchemas(group, name, compose);
  return found.length === 0 || found.includes(FORBIDDEN) ? undefined : compose('allOf', found);
}

function propertySchemas(group: SchemaGroup, name: string, compose: Compose): readonly Schema[] {
  const { schemas, choices, names } = group;
  if (group.hides(name)) return [FORBIDDEN];
  const found = schemas.flatMap((schema) => ownSchemas(schema, name));
  for (const alternatives of choices) {
    const described = alternatives
      .map((alternative) => propertySchemas(alternative, name, compose))
      .filter((described) => described.length > 0);
    const allowed = described.filter((schemas) => !schemas.includes(FORBIDDEN));
    if (allowed.length > 0) {
      found.push(
        compose(
          'anyOf',
          allowed.map((schemas) => compose('allOf', schemas)),
        ),
      );
    } else if (described.length > 0) found.push(FORBIDDEN);
  }
  return found.length === 0 && names.has(name) ? [ALL] : found;
}

/** What one schema declares of a property. */
function ownSchemas(schema: Schema, name: string): Schema[] {
  const { properties, additionalProperties, unevaluatedProperties } = schema;
  const named = own(properties, name);
  const described = [...(named === undefined ? [] : [named]), ...schemasOfPatterns(schema, name)];
  if (described.length > 0) return described.map(asSchema);
  return [additionalProperties, unevaluatedProperties]
    .filter((other) => other === true || isSchema(other))
    .map(asSchema);
}

function asSchema(schema: unknown): Schema {
  if (schema === false) return FORBIDDEN;
  return isSchema(schema) ? schema : ALL;
}

/** The schema of an item; undefined where no schema of a group describes it. */
export function declaredItem(group: SchemaGroup, index: number, compose: Compose): Schema | undefined {
  const found = itemSchemas(group, index, compose);
  return found.length === 0 ? undefined : compose('allOf', found);
}

function itemSchemas({ schemas, choices }: SchemaGroup, index: number, compose: Compose): readonly Schema[] {
  const found = schemas.flatMap(({ prefixItems, items, contains, unevaluatedItems }) => {
    const prefix = list(prefixItems);
    const item = index < prefix.length ? prefix[index] : (items ?? unevaluatedItems);
    // Some items are what `contains` describes.
    const contained = isSchema(contains) ? [compose('anyOf', [contains, ALL])] : [];
    return isSchema(item) ? [item, ...contained] : contained;
  });
  for (const alternatives of choices) {
    const described = alternatives
      .map((alternative) => itemSchemas(alternative, index, compose))
      .filter((schemas) => schemas.length > 0)
      .map((schemas) => compose('allOf', schemas));
    if (described.length > 0) found.push(compose('anyOf', described));
  }
  return found;
}

/** The names of properties that a schema mentions, those that it requires among them. */
function mentionedNames({
  properties,
  required,
  dependentRequired,
  dependentSchemas,
  discriminator,
}: Schema): string[] {
  const names = [
    ...Object.keys(fieldsOf(properties)),
    ...list(required),
    ...Object.entries(fieldsOf(dependentRequired)).flatMap(([name, needed]) => [name, ...list(needed)]),
    ...Object.keys(fieldsOf(dependentSchemas)),
    own(discriminator, 'propertyName'),
  ];
  return names.filter((name) => typeof name === 'string');
}

import {
  isReference,
  isSchema,
  list,
  resolve,
  type OpenApiDocument,
  type Schema,
} from '../../src/contract/document/openapi-document.ts';
import { isInt64 } from '../../src/contract/numbers/numeric-reader.ts';
import type { Shape } from '../../src/client/shape.ts';

/** The shapes of a contract's schemas: the parts of a schema that lead to its int64s. */
export interface Shapes {
  /** The shape of a schema; `{}` when no int64 is in it. */
  of(schema: Schema | undefined): Shape;
  /** The shapes that others refer to, by pointer. */
  readonly referred: Readonly<Record<string, Shape>>;
}

/** Follows the schemas of a bundled contract. A schema may refer to itself. */
export function contractShapes(document: OpenApiDocument): Shapes {
  const referred: Record<string, Shape> = {};

  /** Schemas that are known to hold an int64, or none. */
  const known = new Map<Schema, boolean>();

  /** Whether an int64 is anywhere in a schema. */
  function holdsInt64(schema: Schema): boolean {
    const seen = new Set<Schema>();
    const found = known.get(schema) ?? leadsToInt64(schema, seen);
    // All that a search without success has seen holds none.
    for (const one of found ? [schema] : seen) known.set(one, found);
    return found;
  }

  function leadsToInt64(schema: Schema, seen: Set<Schema>): boolean {
    if (seen.has(schema)) return false;
    seen.add(schema);
    return known.get(schema) ?? (isInt64(schema) || parts(schema).some((part) => leadsToInt64(target(part), seen)));
  }

  const target = (schema: Schema): Schema => (isReference(schema) ? resolve<Schema>(document, schema) : schema);

  function of(schema: Schema | undefined): Shape {
    if (schema === undefined || !holdsInt64(target(schema))) return {};
    const { $ref, properties, additionalProperties, patternProperties, prefixItems, items } = schema;
    if ($ref !== undefined && !Object.hasOwn(referred, $ref)) {
      // Before it is known: it may refer to itself.
      referred[$ref] = {};
      referred[$ref] = of(target(schema));
    }
    const options = optionsOf(schema).map(of);
    // What has no int64 says that there may be something else than an int64.
    const choices = [...allOf(schema).map(of).filter(isSome), ...(options.some(isSome) ? options : [])];
    const named = Object.entries(isSchema(properties) ? properties : {})
      .map(([name, property]): [string, Shape] => [name, of(asSchema(property))])
      .filter(([, shape]) => isSome(shape));
    const others = [additionalProperties, ...Object.values(isSchema(patternProperties) ? patternProperties : {})]
      .map(asSchema)
      .map(of)
      .filter(isSome);
    const prefix = list(prefixItems).map((item) => of(asSchema(item)));
    const rest = of(asSchema(items));
    return {
      ...($ref === undefined ? {} : { $ref }),
      ...(isInt64(schema) ? { int64: true } : {}),
      ...(choices.length === 0 ? {} : { anyOf: choices }),
      ...(named.length === 0 ? {} : { properties: Object.fromEntries(named) }),
      ...(others.length === 0 ? {} : { additional: { anyOf: others } }),
      ...(prefix.some(isSome) ? { prefix } : {}),
      ...(isSome(rest) ? { items: rest } : {}),
    };
  }
  return { of, referred };
}

function isSome(shape: Shape): boolean {
  return Object.keys(shape).length > 0;
}

function asSchema(value: unknown): Schema | undefined {
  return isSchema(value) ? value : undefined;
}

/** Schemas that all apply in the place of a schema itself. */
function allOf({ allOf: all }: Schema): Schema[] {
  return list(all).filter(isSchema);
}

/** Alternative schemas of a schema. Null is skipped: it may always be sent. */
function optionsOf({ anyOf, oneOf, if: condition, then, else: otherwise }: Schema): Schema[] {
  const branches = condition === undefined ? [] : [then ?? {}, otherwise ?? {}];
  return [...list(anyOf), ...list(oneOf), ...branches].filter(isSchema).filter(({ type }) => type !== 'null');
}

/** Every schema directly below a schema. */
function parts(schema: Schema): Schema[] {
  const { properties, patternProperties, additionalProperties, prefixItems, items } = schema;
  const groups = [properties, patternProperties].flatMap((group) => (isSchema(group) ? Object.values(group) : []));
  const all: unknown[] = [...groups, additionalProperties, ...list(prefixItems), items];
  // With $ref there may be keywords beside it, so it is a part of its own.
  const { $ref } = schema;
  return [...allOf(schema), ...optionsOf(schema), ...all.filter(isSchema), ...($ref === undefined ? [] : [{ $ref }])];
}

import { isSchema, list, targetOf, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { reaching } from '../document/schema-graph.ts';
import { isBigint } from '../numbers/bigint.ts';
import type { Shape } from '../client/shape.ts';

/** Keywords whose schemas are a part of the shape. */
const FOLLOWED = [
  ...['allOf', 'anyOf', 'oneOf', 'then', 'else'],
  ...['properties', 'patternProperties', 'additionalProperties', 'prefixItems', 'items'],
];

/** The shapes of a contract's schemas: the parts of a schema that lead to its int64s. */
export interface Shapes {
  /** The shape of a schema; `{}` when no int64 is in it. */
  of(schema: unknown): Shape;
  /** The shapes that others refer to, by pointer. */
  readonly referred: Readonly<Record<string, Shape>>;
}

/** Follows the schemas of a bundled contract. A schema may refer to itself. */
export function contractShapes(document: OpenApiDocument): Shapes {
  const referred: Record<string, Shape> = {};
  const holdsInt64 = reaching(document, isBigint, FOLLOWED);

  function of(schema: unknown): Shape {
    if (!isSchema(schema) || !holdsInt64(schema)) return {};
    const { $ref, allOf, properties, additionalProperties, patternProperties, prefixItems, items } = schema;
    if ($ref !== undefined && !Object.hasOwn(referred, $ref)) {
      // Before it is known: it may refer to itself.
      referred[$ref] = {};
      referred[$ref] = of(targetOf(document, $ref));
    }
    const options = optionsOf(schema).map(of);
    // What has no int64 says that there may be something else than an int64.
    const choices = [...list(allOf).map(of).filter(isSome), ...(options.some(isSome) ? options : [])];
    const named = Object.entries(isSchema(properties) ? properties : {})
      .map(([name, property]): [string, Shape] => [name, of(property)])
      .filter(([, shape]) => isSome(shape));
    const others = [additionalProperties, ...Object.values(isSchema(patternProperties) ? patternProperties : {})]
      .map(of)
      .filter(isSome);
    const prefix = list(prefixItems).map(of);
    const rest = of(items);
    return {
      ...($ref === undefined ? {} : { $ref }),
      ...(isBigint(schema) ? { int64: true } : {}),
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

/** Alternative schemas of a schema. Null is skipped: it may always be sent. */
function optionsOf({ anyOf, oneOf, if: condition, then, else: otherwise }: Schema): Schema[] {
  const branches = condition === undefined ? [] : [then ?? {}, otherwise ?? {}];
  return [...list(anyOf), ...list(oneOf), ...branches].filter(isSchema).filter(({ type }) => type !== 'null');
}

import { isSchema, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { Refused, type Refusal } from '../document/refusal.ts';
import { isInt64 } from '../numbers/numeric-reader.ts';

/** Keywords that bound a number. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'];
/** Keywords whose schemas always apply, to the value or its parts. */
const FOLLOWED = ['allOf', 'items', 'prefixItems', 'additionalProperties'];
/** Keywords whose schemas may apply to the same value. */
const CHOICES = ['oneOf', 'anyOf', 'not', 'if', 'then', 'else'];
/** Keywords that the conversion of numbers does not follow. */
const UNFOLLOWED = ['contains', 'unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', 'propertyNames'];

/**
 * Refuses keywords of a body's schema that the engine cannot apply exactly.
 * @throws Refused with every place that cannot be served.
 */
export function requireServable(document: OpenApiDocument, schema: unknown): void {
  const refusals: Refusal[] = [];
  const seen = { certain: new Set<unknown>(), choice: new Set<unknown>(), unfollowed: new Set<unknown>() };
  visit(schema, 'certain');
  if (refusals.length > 0) throw new Refused(refusals);

  function visit(node: unknown, reached: 'certain' | 'choice' | 'unfollowed'): void {
    if (Array.isArray(node)) {
      for (const child of node) visit(child, reached);
      return;
    }
    if (!isSchema(node) || seen[reached].has(node)) return;
    seen[reached].add(node);
    const refuse = (key: string, reason: string): void => {
      refusals.push({ node, key, reason });
    };
    if (node.format === 'int64' && !isInt64(node)) {
      refuse(
        'format',
        "the format int64 is served beside 'type: integer' only: add the type, or leave the format out.",
      );
    }
    if (isInt64(node)) requireInt64(node, reached, refuse);
    requireOnePlace(node, refuse);
    if (node.$ref !== undefined) visit(resolve<Schema>(document, { $ref: node.$ref }), reached);
    for (const [key, child] of Object.entries(node)) {
      if (key === 'properties' || key === 'patternProperties' || key === '$defs') {
        for (const property of Object.values(child ?? {})) visit(property, reached);
      } else if (CHOICES.includes(key)) visit(child, 'choice');
      else if (UNFOLLOWED.includes(key)) visit(child, 'unfollowed');
      else if (FOLLOWED.includes(key)) visit(child, reached);
    }
  }

  /**
   * Requires `enum` and `const` beside the int64 type: elsewhere in an allOf, the validator
   * compares int64s as numbers.
   */
  function requireOnePlace(node: Schema, refuse: Refuse): void {
    const parts = Array.isArray(node['allOf']) ? node['allOf'].filter(isSchema) : [];
    const all = [node, ...parts].map((part) =>
      part.$ref === undefined ? part : resolve<Schema>(document, { $ref: part.$ref }),
    );
    if (!all.some(isInt64)) return;
    const others = [node, ...parts].filter((part) => !isInt64(part));
    if (others.some((part) => 'enum' in part || 'const' in part)) {
      refuse(
        'allOf' in node ? 'allOf' : '$ref',
        "'enum' and 'const' of an int64 are served in the schema that says int64 only: move them there.",
      );
    }
  }
}

/** Reports a problem of a schema: the keyword, the reason and a correction. */
export type Refuse = (key: string, reason: string) => void;

function requireInt64(schema: Schema, reached: string, refuse: Refuse): void {
  const bounds = BOUNDS.filter((key) => key in schema);
  if (reached === 'unfollowed') {
    refuse('format', `an int64 under ${UNFOLLOWED.join(', ')} is not served: move it out of them, or use a string.`);
  }
  const [bound] = bounds;
  if (reached === 'choice' && bound !== undefined) {
    const choices = CHOICES.join(', ');
    refuse(bound, `an int64 with ${bounds.join(', ')} is not served in a choice (${choices}): leave the bounds out.`);
  }
  requireExactBounds(schema, refuse);
}

/**
 * Refuses bounds beyond 2^53, which lost precision when the contract was parsed, except the ends of
 * int64.
 */
export function requireExactBounds(schema: Schema, refuse: Refuse): void {
  for (const key of [...BOUNDS, 'default']) {
    const wrong = [schema[key]].flat().find((one) => typeof one === 'number' && isRounded(one));
    if (wrong === undefined) continue;
    refuse(
      key,
      `${key} ${JSON.stringify(wrong)} is not served: YAML rounds integers beyond 2^53. Use one that is nearer to 0.`,
    );
  }
}

function isRounded(value: number): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) !== 2 ** 63;
}

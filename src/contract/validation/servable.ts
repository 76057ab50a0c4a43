import { OperatorError } from '../../errors.ts';
import { isSchema, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { isInt64 } from '../numbers/numeric-reader.ts';

/** Keywords that bound a number. */
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'];
/**
 * Keywords whose schemas hold, for the value or for its parts, wherever the schema around them
 * does.
 */
const FOLLOWED = ['allOf', 'items', 'prefixItems', 'additionalProperties'];
/** Keywords whose schemas hold for the same value, perhaps. */
const CHOICES = ['oneOf', 'anyOf', 'not', 'if', 'then', 'else'];
/** Keywords whose schemas the engine does not follow to give numbers their values. */
const UNFOLLOWED = ['contains', 'unevaluatedProperties', 'unevaluatedItems', 'dependentSchemas', 'propertyNames'];

/**
 * Refuses what the engine cannot do exactly in the schema of a body, rather than to do it wrong.
 * @throws OperatorError that names the place.
 */
export function requireServable(document: OpenApiDocument, schema: unknown, place: string): void {
  const seen = { certain: new Set<unknown>(), choice: new Set<unknown>(), unfollowed: new Set<unknown>() };
  visit(schema, place, 'certain');

  function visit(node: unknown, at: string, reached: 'certain' | 'choice' | 'unfollowed'): void {
    if (Array.isArray(node)) {
      node.forEach((child, index) => {
        visit(child, `${at}/${index}`, reached);
      });
      return;
    }
    if (!isSchema(node) || seen[reached].has(node)) return;
    seen[reached].add(node);
    const refuse = (what: string): never => {
      throw new OperatorError(`${at}: ${what}`);
    };
    if (node.format === 'int64' && !isInt64(node)) refuse("the format int64 is served beside 'type: integer' only.");
    if (isInt64(node)) requireInt64(node, reached, refuse);
    requireOnePlace(node, refuse);
    if (node.$ref !== undefined) visit(resolve<Schema>(document, { $ref: node.$ref }), at, reached);
    for (const [key, child] of Object.entries(node)) {
      if (key === 'properties' || key === 'patternProperties' || key === '$defs') {
        for (const [name, property] of Object.entries(child ?? {})) visit(property, `${at}/${key}/${name}`, reached);
      } else if (CHOICES.includes(key)) visit(child, `${at}/${key}`, 'choice');
      else if (UNFOLLOWED.includes(key)) visit(child, `${at}/${key}`, 'unfollowed');
      else if (FOLLOWED.includes(key)) visit(child, `${at}/${key}`, reached);
    }
  }

  /**
   * The values that an allOf allows must stand where its int64 does: the validator compares them as
   * numbers.
   */
  function requireOnePlace(node: Schema, refuse: (what: string) => never): void {
    const parts = Array.isArray(node['allOf']) ? node['allOf'].filter(isSchema) : [];
    const all = [node, ...parts].map((part) =>
      part.$ref === undefined ? part : resolve<Schema>(document, { $ref: part.$ref }),
    );
    if (!all.some(isInt64)) return;
    const others = [node, ...parts].filter((part) => !isInt64(part));
    if (others.some((part) => 'enum' in part || 'const' in part)) {
      refuse("'enum' and 'const' of an int64 are served in the schema that says int64 only.");
    }
  }
}

function requireInt64(schema: Schema, reached: string, refuse: (what: string) => never): void {
  const bounds = BOUNDS.filter((key) => key in schema);
  if (reached === 'unfollowed') refuse(`an int64 under ${UNFOLLOWED.join(', ')} is not served.`);
  if (reached === 'choice' && bounds.length > 0) {
    refuse(`an int64 with ${bounds.join(', ')} is not served in a choice (${CHOICES.join(', ')}).`);
  }
  requireExactBounds(schema, refuse);
}

/**
 * A number beyond 2^53 was rounded when the contract was read; only the ends of int64 are sure to
 * mean what they say.
 */
export function requireExactBounds(schema: Schema, refuse: (what: string) => never): void {
  const numbers = [...BOUNDS, 'default']
    .flatMap((key) => [schema[key]].flat())
    .filter((one) => typeof one === 'number');
  const wrong = numbers.find((one) => Math.abs(one) > Number.MAX_SAFE_INTEGER && Math.abs(one) !== 2 ** 63);
  if (wrong !== undefined)
    refuse(`bounds and defaults beyond 2^53, such as ${wrong}, are rounded by YAML and not served.`);
}

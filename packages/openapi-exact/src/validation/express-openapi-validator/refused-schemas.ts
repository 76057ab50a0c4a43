import { isObject, list, type OpenApiDocument, type Schema } from '../../schema/openapi-document.ts';
import { isExpression, isUnicode, unicodeSpelling } from '../../schema/pattern.ts';
import type { Diagnostic } from '../../errors/diagnostic.ts';
import { partsOf, reachableSchemas, SAME_VALUE } from '../../schema/schema-graph.ts';

/** Keywords that evaluate the items of the value. */
const EVALUATE_ITEMS = ['items', 'prefixItems', 'unevaluatedItems'];

/** Keywords whose members the validator nests in its code; V8 reads so many levels. */
const NESTED = ['properties', 'patternProperties', 'dependentSchemas', 'allOf', 'oneOf', 'prefixItems'];
const MOST_MEMBERS = 1_000;

/** The places of schemas that cannot be served. */
export function refusedSchemas(document: OpenApiDocument, schemas: ReadonlySet<Schema>): readonly Diagnostic[] {
  return [...schemas].flatMap((schema) => [
    ...refusedPattern(schema),
    ...refusedPatterns(schema),
    ...refusedEvaluation(document, schema),
    ...refusedMembers(schema),
  ]);
}

function refusedPattern(node: Schema): Diagnostic[] {
  const { pattern } = node;
  if (typeof pattern !== 'string' || isExpression(pattern)) return [];
  const reason = `the pattern ${pattern} is not a regular expression of ECMA-262: write it as one.`;
  return [{ node, key: 'pattern', reason }];
}

/** The validator knows patterns of names with the flag `u` only. */
function refusedPatterns({ patternProperties: node }: Schema): Diagnostic[] {
  if (!isObject(node)) return [];
  const refused = Object.keys(node).filter((pattern) => !isUnicode(unicodeSpelling(pattern)));
  return refused.map((pattern) => ({
    node,
    key: pattern,
    reason: `the pattern ${pattern} of properties is not a regular expression with the flag u: write it as one.`,
  }));
}

/**
 * The validator counts wrongly which items `contains` or a choice evaluates, and has no tuple whose
 * other items are left to judge.
 */
function refusedEvaluation(document: OpenApiDocument, node: Schema): Diagnostic[] {
  if (!('unevaluatedItems' in node)) return [];
  const certain = new Set(partsOf(document, node));
  const isMiscounted = (part: Schema): boolean =>
    'contains' in part || isOpenTuple(part) || (!certain.has(part) && EVALUATE_ITEMS.some((key) => key in part));
  if (![...reachableSchemas(document, [node], SAME_VALUE)].some(isMiscounted)) return [];
  const reason =
    'unevaluatedItems is not served with contains, a choice between items, or prefixItems that further items may follow: describe all with items.';
  return [{ node, key: 'unevaluatedItems', reason }];
}

function refusedMembers(node: Schema): Diagnostic[] {
  const refused = NESTED.filter((key) => Object.keys(node[key] ?? {}).length > MOST_MEMBERS);
  return refused.map((key) => ({
    node,
    key,
    reason: `${key} must have at most ${MOST_MEMBERS} members, since the validator does not take more: split it.`,
  }));
}

function isOpenTuple({ prefixItems, items, maxItems = Infinity }: Schema): boolean {
  return prefixItems !== undefined && items === undefined && Number(maxItems) > list(prefixItems).length;
}

import { isAnnotation } from '../../../schema/annotations.ts';
import {
  fieldsOf,
  isSchema,
  list,
  targetOf,
  type OpenApiDocument,
  type Schema,
} from '../../../schema/openapi-document.ts';
import { childrenOf, partsOf } from '../../../schema/schema-graph.ts';
import { NUMBER_KEYWORDS } from '../../../schema/bigint.ts';
import { hasNumberRule } from '../../../schema/number-rule.ts';
import { typesOf } from '../../../schema/alternatives.ts';
import type { Rewriter } from './step.ts';

/** The most alternatives that the validator is left to try one after another. */
export const MOST_TRIED = 10;

/** Rewrites the alternatives of a choice, so that a value takes little time for each. */
export function rewriteAlternatives(
  keyword: 'oneOf' | 'anyOf',
  all: readonly unknown[],
  hidden: ReadonlySet<string>,
  rewriter: Rewriter,
): unknown[] {
  if (all.length <= MOST_TRIED) return all.map((alternative) => rewriter.rewrite(alternative, hidden));
  const { numeric, others } = triedAlternatives(rewriter.document, keyword, all);
  const rewritten = others.map((alternative) => {
    const schema = rewriter.rewrite(alternative, hidden);
    const isFollowed = isSchema(alternative) && alternative.$ref !== undefined;
    return isFollowed ? { allOf: [...outlines(alternative, hidden, rewriter), schema] } : schema;
  });
  if (numeric.length === 0) return rewritten;
  return [{ type: ['number'], format: rewriter.formats.ofChoice(keyword, numeric) }, ...rewritten];
}

/** What the schemas that always hold with a reference say at once. */
function outlines(reference: Schema, hidden: ReadonlySet<string>, rewriter: Rewriter): unknown[] {
  const inherited = new Set([...hidden, ...rewriter.hiddenProperties.hiddenIn(reference)]);
  return partsOf(rewriter.document, reference)
    .map(outline)
    .filter((part) => Object.keys(part).length > 0)
    .map((part) => rewriter.rewrite(part, inherited));
}

/** The alternatives of a choice as the validator gets them. */
interface TriedAlternatives {
  /** Those that one format decides together. */
  readonly numeric: readonly Schema[];
  /** Those that are tried one after another. */
  readonly others: readonly unknown[];
}

/** Of many alternatives, takes together those that need not be tried one after another. */
export function triedAlternatives(
  document: OpenApiDocument,
  keyword: 'oneOf' | 'anyOf',
  all: readonly unknown[],
): TriedAlternatives {
  if (all.length <= MOST_TRIED) return { numeric: [], others: all };
  const alternatives = constantsTogether(
    keyword,
    all.map((alternative) => withoutReference(document, alternative)),
  );
  const numeric = numericAlternatives(alternatives);
  return { numeric, others: alternatives.filter((alternative) => !numeric.some((schema) => schema === alternative)) };
}

/** The target of a reference, if it contains no schemas: the validator knows it at once. */
function withoutReference(document: OpenApiDocument, alternative: unknown): unknown {
  if (!isSchema(alternative) || Object.keys(alternative).join() !== '$ref') return alternative;
  const target: Schema = targetOf(document, alternative.$ref ?? '');
  return childrenOf(document, target).length === 0 ? target : alternative;
}

/**
 * The alternatives of a choice, with those that are a text or an integer each as one `enum`, whose
 * length costs nothing. Of `oneOf`, equal constants exclude each other and are left.
 */
function constantsTogether(keyword: string, alternatives: readonly unknown[]): readonly unknown[] {
  const constants = alternatives.flatMap(constantOf);
  const areDistinct = new Set(constants).size === constants.length;
  if (constants.length <= MOST_TRIED || (keyword === 'oneOf' && !areDistinct)) return alternatives;
  return [{ enum: constants }, ...alternatives.filter((alternative) => constantOf(alternative).length === 0)];
}

/** The text or integer that a schema allows, if it says nothing else. */
function constantOf(schema: unknown): readonly unknown[] {
  if (!isSchema(schema)) return [];
  const { type, const: only, enum: allowed = [only], ...keywords } = schema;
  const [constant, ...furtherConstants] = list(allowed);
  const ownType = typeof constant === 'string' ? 'string' : Number.isSafeInteger(constant) ? 'integer' : undefined;
  const isAlone = furtherConstants.length === 0 && Object.keys(keywords).every(isAnnotation);
  const isTyped = ownType !== undefined && (type === undefined || type === ownType);
  return isAlone && isTyped && (only === undefined || only === constant) ? [constant] : [];
}

/**
 * The alternatives that only assert something of numbers, if they are many and no other one allows
 * a number.
 */
function numericAlternatives(alternatives: readonly unknown[]): readonly Schema[] {
  const numeric = alternatives.filter(isSchema).filter(isNumeric);
  const others = alternatives.filter((alternative) => !(isSchema(alternative) && isNumeric(alternative)));
  return numeric.length > MOST_TRIED && others.every(excludesNumbers) ? numeric : [];
}

function isNumeric(schema: Schema): boolean {
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const isKnown = (key: string): boolean => isAnnotation(key) || ['type', 'format', ...NUMBER_KEYWORDS].includes(key);
  return isNumber && hasNumberRule(schema) && Object.keys(schema).every(isKnown);
}

function excludesNumbers(schema: unknown): boolean {
  const types = isSchema(schema) ? assertedTypes(schema) : [];
  return types.length > 0 && !types.some((type) => ['integer', 'number'].includes(type));
}

/** The types that a schema allows; none for any. Keywords such as `properties` exclude no type. */
export function assertedTypes(schema: Schema): readonly string[] {
  return ['type', 'const', 'enum'].some((key) => key in schema) ? typesOf(schema) : [];
}

/**
 * What a schema demands of the type, the names and the constants of an object. It is asked before a
 * reference: the validator copies all errors so far for each reference that fails.
 */
function outline({ type, required, properties }: Schema): Schema {
  const constants = Object.entries(fieldsOf(properties)).filter(
    ([, property]) => isSchema(property) && ('const' in property || 'enum' in property),
  );
  return {
    ...(type === undefined ? {} : { type }),
    ...(required === undefined ? {} : { required }),
    ...(constants.length === 0 ? {} : { properties: Object.fromEntries(constants) }),
  };
}

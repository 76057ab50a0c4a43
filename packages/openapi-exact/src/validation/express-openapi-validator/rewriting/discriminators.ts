import { discriminatedBy, hasValue, toldApartBy } from '../../../schema/choices.ts';
import { partsOf } from '../../../schema/schema-graph.ts';
import { rivalAlternatives } from '../../../schema/rival-alternatives.ts';
import type { Schema } from '../../../schema/openapi-document.ts';
import { propertyKey } from '../property-keys.ts';
import { MOST_TRIED } from './many-alternatives.ts';
import { withoutKeywords, withParts, type Source } from './step.ts';

/**
 * Describes a choice that a property decides as conditions on that property. The validator would
 * try all alternatives.
 */
export function discriminators(schema: Schema, source: Source): Schema {
  const { node, hidden, rewriter } = source;
  const named = discriminatedBy(rewriter.document, node);
  const discriminated = named ?? toldApartBy(rewriter.document, node);
  if (discriminated === undefined) return schema;
  const property = propertyKey(discriminated.property);
  const conditions = discriminated.alternatives.map(({ schema: alternative, values }) => ({
    values,
    condition: { if: hasValue(property, values), then: rewriter.rewrite(alternative, hidden) },
  }));
  const known = discriminated.alternatives.flatMap(({ values }) => values);
  rewriter.formats.addEnum(known, known);
  const rivals = named === undefined ? [] : rivalConditions(named, source);
  const choice = Object.entries(schema).filter(([keyword]) => keyword === 'oneOf' || keyword === 'anyOf');
  const allOf = [...halvedConditions(property, conditions), ...rivals];
  const rest = withoutKeywords(schema, ['oneOf', 'anyOf']);
  const { fallback } = discriminated;
  if (fallback !== undefined) {
    const isNamed = { ...hasValue(property, known), required: [property] };
    return withParts(rest, [{ if: isNamed, then: { allOf }, else: rewriter.rewrite(fallback, hidden) }]);
  }
  return withParts(rest, [
    {
      if: { type: 'object', required: [property] },
      then: { ...hasValue(property, known), allOf },
      else: Object.fromEntries(choice),
    },
  ]);
}

/** Excludes the alternatives that may hold beside the one that the discriminator names. */
function rivalConditions(named: Parameters<typeof rivalAlternatives>[2], { node, hidden, rewriter }: Source): Schema[] {
  const { document, hiddenProperties } = rewriter;
  const hiddenIn = (schema: Schema): ReadonlySet<string> =>
    new Set([...hidden, ...partsOf(document, schema).flatMap((part) => [...hiddenProperties.hiddenIn(part)])]);
  return rivalAlternatives(document, node, named, hiddenIn).map(({ schema, required, excluded }) => ({
    if: {
      type: 'object',
      required: required.map((name) => propertyKey(name)),
      properties: { [propertyKey(named.property)]: { enum: excluded } },
    },
    // As a choice where one always holds: a client reads that exactly one must.
    then: { oneOf: [{}, rewriter.rewrite(schema, hidden)] },
  }));
}

/** The condition of an alternative, with the values that choose it. */
interface AlternativeCondition {
  readonly values: readonly unknown[];
  readonly condition: Schema;
}

/** Conditions where one holds: one question leaves out half of many. */
function halvedConditions(property: string, conditions: readonly AlternativeCondition[]): readonly Schema[] {
  if (conditions.length <= MOST_TRIED) return conditions.map(({ condition }) => condition);
  const middle = Math.ceil(conditions.length / 2);
  const [first, second] = [conditions.slice(0, middle), conditions.slice(middle)];
  const values = first.flatMap((alternative) => alternative.values);
  return [
    {
      if: hasValue(property, values),
      then: { allOf: halvedConditions(property, first) },
      else: { allOf: halvedConditions(property, second) },
    },
  ];
}

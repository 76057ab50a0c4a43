import { typesOf } from '../../../schema/alternatives.ts';
import { fieldsOf, list, type Schema } from '../../../schema/openapi-document.ts';
import { isUnicode, unicodeSpelling } from '../../../schema/pattern.ts';
import { partsOf, SAME_VALUE } from '../../../schema/schema-graph.ts';
import { FIELDS } from '../../../schema/structure.ts';
import { keyPattern, propertyKey } from '../property-keys.ts';
import { NOTHING } from '../stand-ins.ts';
import { rewriteAlternatives } from './many-alternatives.ts';
import type { Rewriter, Source } from './step.ts';

/** Keywords with schemas for properties, which may be hidden. */
const HIDEABLE_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Keywords whose schemas later steps write several times: see conditions.ts and tuples.ts. */
const REPEATED = ['if', 'prefixItems'];

/** Allows no value. */
const FORBIDDEN: Schema = { enum: [NOTHING] };

const NO_HIDDEN_NAMES: ReadonlySet<string> = new Set();

/**
 * Rewrites the schemas that a schema contains. Properties have the validator's keys for their
 * names; one of the other direction must not have a value.
 */
export function innerSchemas(schema: Schema, source: Source): Schema {
  const rewritten = Object.entries(schema).map(([keyword, value]) => [keyword, innerValue(keyword, value, source)]);
  return Object.fromEntries(rewritten) as Schema;
}

/** The value of a keyword, with its schemas rewritten. */
function innerValue(keyword: string, value: unknown, { hidden, rewriter }: Source): unknown {
  const field = Object.hasOwn(FIELDS.schema, keyword) ? FIELDS.schema[keyword] : undefined;
  if (field === undefined) return value;
  const inherited = SAME_VALUE.includes(keyword) ? hidden : NO_HIDDEN_NAMES;
  const inner = keyword === 'propertyNames' ? rewriter.forNames : rewriter;
  const rewrite = (child: unknown): unknown =>
    HIDEABLE_KEYWORDS.includes(keyword) ? hidingProperty(child, rewriter) : inner.rewrite(child, inherited);
  if (REPEATED.includes(keyword)) {
    const shared = (child: unknown): unknown => rewriter.shared(rewrite(child));
    return Array.isArray(value) ? value.map(shared) : shared(value);
  }
  if (field.shape === 'one') return rewrite(value);
  if (keyword === 'oneOf' || keyword === 'anyOf') return rewriteAlternatives(keyword, list(value), inherited, rewriter);
  if (field.shape === 'list') return list(value).map(rewrite);
  const schemas = keyword === 'properties' ? scalarsFirst(value, rewriter) : Object.entries(fieldsOf(value));
  const key = keyword === 'patternProperties' ? patternKey : propertyKey;
  return Object.fromEntries(schemas.map(([name, child]) => [key(name), rewrite(child)]));
}

/** A property, which must not have a value for which it is hidden. */
function hidingProperty(property: unknown, rewriter: Rewriter): unknown {
  const { hiddenProperties } = rewriter;
  if (hiddenProperties.isHidden(property)) return FORBIDDEN;
  const choices = hiddenProperties
    .hidingChoices(property)
    .map((choice) => ({ if: rewriter.rewrite(choice), then: FORBIDDEN }));
  const rewritten = rewriter.rewrite(property);
  return choices.length === 0 ? rewritten : { allOf: [rewritten, ...choices] };
}

/**
 * Properties with the scalars first: an alternative that a scalar excludes does not enter what lies
 * below the others, which may be the alternatives again.
 */
function scalarsFirst(properties: unknown, { document }: Rewriter): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(fieldsOf(properties));
  const isScalar = ([, property]: readonly [string, unknown]): boolean => {
    const types = partsOf(document, property).flatMap(typesOf);
    return types.length > 0 && !types.includes('array') && !types.includes('object');
  };
  return [...entries.filter(isScalar), ...entries.filter((entry) => !isScalar(entry))];
}

/** A pattern of names. The check of the document refuses what is malformed with the flag `u`. */
function patternKey(pattern: string): string {
  const spelled = unicodeSpelling(pattern);
  return isUnicode(spelled) ? keyPattern(spelled) : '';
}

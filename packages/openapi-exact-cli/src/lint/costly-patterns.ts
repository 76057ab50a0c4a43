import { expressionOf, isObject, type Diagnostic } from 'openapi-exact/contract';
import { TooManyNodesError } from 'refa';
import { analyse } from 'scslre';
import { hasAmbiguousRepetition } from './ambiguous-repetition.ts';

/** A length up to which quadratic time does no harm, in characters. */
const SHORT = 1_000;

/**
 * Warnings of patterns whose time grows faster than the texts that clients send: exponentially, or
 * without a `maxLength`. Patterns are evaluated by Node.js, which backtracks.
 */
export function costlyPatterns(schemas: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return schemas.flatMap((schema): Diagnostic[] => {
    const { pattern, maxLength, patternProperties } = schema;
    const isShort = Number(maxLength) <= SHORT;
    const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    return [
      ...(typeof pattern === 'string' ? warnings(schema, 'pattern', pattern, isShort) : []),
      ...names.flatMap((name) => warnings(schema, 'patternProperties', name, false)),
    ];
  });
}

function warnings(node: object, key: string, pattern: string, isShort: boolean): Diagnostic[] {
  const growth = growthOf(pattern);
  if (growth === undefined || (growth === 'quadratic' && isShort)) return [];
  const advice =
    growth === 'quadratic' && key === 'pattern'
      ? `give the schema a maxLength of at most ${SHORT}, or write the pattern without it`
      : 'write the pattern without it';
  const repetition = 'a repetition can match the same characters in several ways';
  return [
    {
      node,
      key,
      reason: `the time of the pattern ${pattern} grows ${GROWTH_NAMES[growth]}: ${repetition}; ${advice}.`,
    },
  ];
}

type Growth = 'exponential' | 'quadratic';

const GROWTH_NAMES: Readonly<Record<Growth, string>> = {
  exponential: 'exponentially with the text',
  quadratic: 'with the square of the text or faster',
};

/** How the time of a pattern grows with its text; undefined for no faster than the text. */
function growthOf(pattern: string): Growth | undefined {
  let expression: RegExp;
  try {
    expression = expressionOf(pattern);
  } catch {
    // It is refused elsewhere.
    return undefined;
  }
  // The start of the search counts: of an expression without an anchor, each character is one.
  const { source, flags } = expression;
  const { reports } = analyse({ source, flags }, { reportTypes: { Move: true } });
  if (reports.some(({ exponential }) => exponential) || hasAmbiguity(source, flags)) return 'exponential';
  return reports.length > 0 ? 'quadratic' : undefined;
}

/** False for an expression that is too large to tell. */
function hasAmbiguity(source: string, flags: string): boolean {
  try {
    return hasAmbiguousRepetition(source, flags);
  } catch (error) {
    if (error instanceof TooManyNodesError) return false;
    throw error;
  }
}

import { isDisjointWith, JS, NFA, type Concatenation, type Element, type NoParent } from 'refa';

/** An expression of more nodes is not examined. */
const MAX_NODES = 1_000;

/** The alternatives of a group, or of a whole expression. */
type Alternatives = readonly NoParent<Concatenation>[];

/**
 * Whether a repetition of an expression has alternatives that match the same text, as in `(a|a)*`
 * and `(a|aa)*`: each further one doubles the ways to match it.
 */
export function hasAmbiguousRepetition(source: string, flags: string): boolean {
  const parser = JS.Parser.fromLiteral({ source, flags });
  const { expression, maxCharacter } = parser.parse({
    assertions: 'ignore',
    backreferences: 'disable',
    maxNodes: MAX_NODES,
  });
  return isAmbiguousWithin(expression.alternatives, false, maxCharacter);
}

/** @param isRepeated whether the alternatives are within a repetition. */
function isAmbiguousWithin(alternatives: Alternatives, isRepeated: boolean, maxCharacter: number): boolean {
  const elements = alternatives.flatMap((alternative) => alternative.elements);
  return elements.some((element) => {
    if (!('alternatives' in element) || element.type === 'Assertion') return false;
    const isRepetition = element.type === 'Quantifier' && element.max === Infinity;
    const repeated: NoParent<Element>[] = isRepetition ? [{ ...element, min: 0 }] : [];
    const isChoice = (isRepeated || isRepetition) && element.alternatives.length > 1;
    if (isChoice && matchSameText(element.alternatives, repeated, maxCharacter)) return true;
    return isAmbiguousWithin(element.alternatives, isRepeated || isRepetition, maxCharacter);
  });
}

/** Whether two alternatives match the same text. @param following what may follow each of them. */
function matchSameText(
  alternatives: Alternatives,
  following: readonly NoParent<Element>[],
  maxCharacter: number,
): boolean {
  const texts = alternatives.map(({ elements }) =>
    NFA.fromRegex(
      { type: 'Concatenation', elements: [...elements, ...following] },
      { maxCharacter },
      {},
      new NFA.LimitedNodeFactory(MAX_NODES),
    ),
  );
  return texts.some((text, index) => texts.slice(index + 1).some((laterText) => !isDisjointWith(text, laterText)));
}

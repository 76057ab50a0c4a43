import { isDisjointWith, JS, NFA, type Concatenation, type Element, type NoParent } from 'refa';

/** An expression of more nodes is not examined. */
const MAX_NODES = 1_000;

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
  const isAmbiguous = (
    alternatives: readonly NoParent<Concatenation>[],
    following: readonly NoParent<Element>[],
  ): boolean => {
    const texts = alternatives.map(({ elements }) =>
      NFA.fromRegex(
        { type: 'Concatenation', elements: [...elements, ...following] },
        { maxCharacter },
        {},
        new NFA.LimitedNodeFactory(MAX_NODES),
      ),
    );
    return texts.some((text, index) => texts.slice(index + 1).some((laterText) => !isDisjointWith(text, laterText)));
  };
  const search = (alternatives: readonly NoParent<Concatenation>[], isRepeated: boolean): boolean =>
    alternatives
      .flatMap(({ elements }) => elements)
      .some((element) => {
        if (!('alternatives' in element) || element.type === 'Assertion') return false;
        const isRepetition = element.type === 'Quantifier' && element.max === Infinity;
        const repeated: NoParent<Element>[] = isRepetition ? [{ ...element, min: 0 }] : [];
        const isChoice = (isRepeated || isRepetition) && element.alternatives.length > 1;
        return (
          (isChoice && isAmbiguous(element.alternatives, repeated)) ||
          search(element.alternatives, isRepeated || isRepetition)
        );
      });
  return search(expression.alternatives, false);
}

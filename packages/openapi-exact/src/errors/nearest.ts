/**
 * The candidate that a misspelt word probably means: the nearest by edits, where a swap of two
 * neighbours is one edit. Short words differ in one edit at most, longer words in two.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const most = word.length < 6 ? 1 : 2;
  const near = [...candidates]
    .filter((candidate) => candidate.length > 2 && Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, edits: editsBetween(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= most);
  return near.toSorted((left, right) => left.edits - right.edits)[0]?.candidate;
}

/** A question that suggests the nearest candidate, to follow a sentence; '' without one. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? '' : ` Did you mean ${candidate}?`;
}

/** The Damerau-Levenshtein distance of two words, by optimal string alignment. */
function editsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}

import type { FaultRow } from '../../test/support/faults.ts';

/** A row of the table; a fault that could not be provoked on this machine says why. */
export type Row = FaultRow | { readonly fault: string; readonly skipped: string };

/** Characters of a line of the first two columns. */
const WIDTHS = { fault: 48, happened: 72 } as const;
const FIGURES = ['lost', 'wronglyDeleted', 'wronglyAcknowledged'] as const;
const HEADINGS = ['lost', 'wrongly deleted', 'wrongly acknowledged'] as const;

/** All that went wrong with plants, over all rows. */
export function damageOf(rows: readonly Row[]): number {
  return rows.reduce(
    (sum, row) => sum + ('skipped' in row ? 0 : row.lost + row.wronglyDeleted + row.wronglyAcknowledged),
    0,
  );
}

/** A table for people: fault, what happened, and the plants it cost. */
export function faultsTable(rows: readonly Row[]): string {
  return [
    ...line('fault', 'what happened', HEADINGS),
    ...rows.flatMap((row) =>
      'skipped' in row
        ? line(row.fault, `skipped: ${row.skipped}`, ['-', '-', '-'])
        : line(
            row.fault,
            row.happened,
            FIGURES.map((figure) => String(row[figure])),
          ),
    ),
  ].join('\n');
}

/** A row as lines of text: the first two columns are wrapped. */
function line(fault: string, happened: string, figures: readonly string[]): string[] {
  const [left, right] = [wrap(fault, WIDTHS.fault), wrap(happened, WIDTHS.happened)];
  const numbers = figures.map((figure, index) => figure.padStart(HEADINGS[index]?.length ?? 0)).join('  ');
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) =>
    [(left[index] ?? '').padEnd(WIDTHS.fault), (right[index] ?? '').padEnd(WIDTHS.happened), index === 0 ? numbers : '']
      .join('  ')
      .trimEnd(),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.pop();
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length <= width) lines.push(`${last} ${word}`);
    else lines.push(last, word);
  }
  return lines;
}

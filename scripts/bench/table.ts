/** A table of Markdown: the first column is text, the others are numbers. */
export function renderLines(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rows] = lines;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A number, with its ratio to another one in brackets. */
export function cell(value: number | undefined, base: number | undefined, digits: number): string {
  if (value === undefined) return '–';
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return base === undefined ? text : `${text} (${(value / base).toFixed(2)})`;
}

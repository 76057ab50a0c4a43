import { medianOf, type Results } from './results.ts';

const WIDTH = 900;
const LABEL = 340;
const BAR = 22;
const LINE = 30;
/** Scenarios that the chart shows. */
const SHOWN = ['durable', 'contract', 'postgres'];

/** docs/benchmarks/chart.svg: requests per second as bars, readable on light and dark pages. */
export function drawChart({ scenarios, commit, node }: Results): string {
  const parts: string[] = [];
  let y = LINE;
  for (const { title, rows } of scenarios.filter(({ id }) => SHOWN.includes(id))) {
    parts.push(text(10, y, `${title}, requests per second`, 'font-weight="bold"'));
    y += LINE / 2;
    const bars = rows.map((row) => ({ name: row.name, rate: medianOf(row, 'perSecond') ?? 0 }));
    const most = Math.max(...bars.map(({ rate }) => rate), 1);
    for (const { name, rate } of bars) {
      parts.push(bar(name, rate, Math.max(1, Math.round((rate / most) * (WIDTH - LABEL - 90))), y));
      y += LINE;
    }
    y += LINE;
  }
  parts.push(text(10, y, `Commit ${commit}, Node ${node}, medians of all rounds`, 'font-size="10"'));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 15}" font-family="sans-serif" font-size="13">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function bar(name: string, rate: number, length: number, y: number): string {
  const colour = name.startsWith('plant store') ? '#2e7d32' : name.startsWith('bare') ? '#9e9e9e' : '#5c6bc0';
  return [
    text(LABEL - 8, y + 16, name, 'text-anchor="end"'),
    `<rect x="${LABEL}" y="${y}" width="${length}" height="${BAR}" fill="${colour}"/>`,
    text(LABEL + length + 6, y + 16, Math.round(rate).toLocaleString('en')),
  ].join('\n');
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" fill="#222" ${attributes}>${escaped}</text>`;
}

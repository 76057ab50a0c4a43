import type { Bar } from './context.ts';
import { machineLine } from './machine.ts';
import type { Report } from './report.ts';

const WIDTH = 900;
const LABEL = 300;
const BAR = 22;
const GAP = 8;
const TITLES: Readonly<Record<string, string>> = {
  durable: 'Durable DELETE requests per second, SQLite, 64 connections',
  postgres: 'Durable DELETE requests per second, PostgreSQL, 64 connections',
  processes: 'The same with 1, 2 and 4 processes, which share all cores with PostgreSQL and the load',
  contract: 'Requests per second of the contract layer alone, 64 connections',
};

/** Bars of the requests per second of each contestant, as SVG that is readable on light and dark pages. */
export function drawChart(report: Report): string {
  const parts: string[] = [];
  let y = 30;
  for (const [name, title] of Object.entries(TITLES)) {
    const bars: readonly Bar[] | undefined = report.shared[name] ?? report.bars[name];
    if (bars === undefined) continue;
    parts.push(text(10, y, title, 'font-weight="bold"'));
    y += 14;
    const sorted = [...bars].sort((a, b) => b.perSecond - a.perSecond);
    const most = sorted[0]?.perSecond ?? 1;
    for (const one of sorted) {
      parts.push(bar(one, most, y));
      y += BAR + GAP;
    }
    y += 30;
  }
  const quick = report.quick ? ' (quick)' : '';
  parts.push(
    text(
      10,
      y,
      `Node ${report.node}${quick}, medians of ${report.rounds} rounds. ${machineLine(report.machine)}`,
      'font-size="10"',
    ),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 15}" font-family="sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function bar({ name, perSecond }: Bar, most: number, y: number): string {
  const length = Math.max(1, Math.round((perSecond / most) * (WIDTH - LABEL - 90)));
  const colour = name.startsWith('plant store') ? '#2e7d32' : name.startsWith('bare') ? '#9e9e9e' : '#5c6bc0';
  return [
    text(LABEL - 8, y + 16, name, 'text-anchor="end"'),
    `<rect x="${LABEL}" y="${y}" width="${length}" height="${BAR}" fill="${colour}"/>`,
    text(LABEL + length + 6, y + 16, Math.round(perSecond).toLocaleString('en')),
  ].join('\n');
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" fill="#222" ${attributes}>${escaped}</text>`;
}

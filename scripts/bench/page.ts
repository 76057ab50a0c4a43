import { medianOf, METRICS, metricsOf, type Metric, type Results, type Row, type ScenarioResult } from './results.ts';

const README_START = '<!-- Written by `npm run bench`. -->';
const README_END = '<!-- End of what `npm run bench` writes. -->';
/** The heading in docs/benchmarks.md from which on it is written by hand. */
const EXPLANATIONS = '## How it is measured';
/** The most rows that README.md quotes. */
const README_ROWS = 5;

/** docs/benchmarks.md with everything before its explanations made of the results. */
export function renderPage(page: string, results: Results): string {
  const { date, commit, node, machine, stolen, scenarios } = results;
  const explanations = page.indexOf(EXPLANATIONS);
  if (explanations < 0) throw new Error(`docs/benchmarks.md needs ${EXPLANATIONS}.`);
  return `# Benchmarks

How fast the service is beside other servers, and how that is measured.

\`npm run bench\` writes this page, [the chart](benchmarks/chart.svg) and
[all rounds](benchmarks/results.json) in one run. This run:

- ${date.slice(0, 10)}, commit ${commit}, Node ${node}
- ${machine}
- Other guests of the machine took ${(stolen * 100).toFixed(1)} % of its processors' time.

![Requests per second of each server](benchmarks/chart.svg)

${scenarios.map((scenario) => `## ${scenario.title}\n\n${scenario.text}\n\n${renderTable(scenario)}`).join('\n\n')}

${page.slice(explanations)}`;
}

/** README.md with its rows about speed replaced. @throws Error when its markers are missing. */
export function renderReadme(readme: string, { node, scenarios: [first] }: Results): string {
  const [start, end] = [readme.indexOf(README_START), readme.indexOf(README_END)];
  if (start < 0 || end < start) throw new Error(`README.md needs ${README_START} and ${README_END}.`);
  if (first === undefined) throw new Error('The results have no scenario.');
  const table = renderTable({ ...first, rows: first.rows.slice(0, README_ROWS) }, [
    'perSecond',
    'processorMicroseconds',
  ]);
  return `${readme.slice(0, start)}${README_START}\n${table}\n\nNode ${node}. In brackets is the ratio to the plant store.\n${readme.slice(end)}`;
}

/** A scenario as a table of Markdown. */
export function renderTable(scenario: ScenarioResult, metrics: readonly Metric[] = metricsOf(scenario)): string {
  const { rows } = scenario;
  const lines = [
    ['', ...metrics.map((metric) => METRICS[metric].title)],
    ['---', ...metrics.map(() => '---:')],
    ...rows.map((row) => [row.name, ...metrics.map((metric) => cell(row, metric, rows[0]))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cell(row: Row, metric: Metric, first: Row | undefined): string {
  const value = medianOf(row, metric);
  if (value === undefined) return '–';
  const { digits } = METRICS[metric];
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const base = first === row || first === undefined ? undefined : medianOf(first, metric);
  return base === undefined ? text : `${text} (${(value / base).toFixed(2)})`;
}

import { renderMessages, renderServers, renderShares } from './messages/table.ts';
import { medianOf, METRICS, metricsOf, type Metric, type Results, type Row, type ScenarioResult } from './results.ts';
import { cell, renderLines } from './table.ts';

const START = '<!-- Written by `npm run bench`. -->';
const END = '<!-- End of what `npm run bench` writes. -->';
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
export function renderReadme(readme: string, { node, scenarios }: Results): string {
  const [durable, contract] = ['durable', 'contract'].map((id) => scenarios.find((scenario) => scenario.id === id));
  if (durable === undefined || contract === undefined) throw new Error('The results lack durable or contract.');
  const alone = (row: Row): Row =>
    contract.rows.find(({ name }) => name === row.name) ?? { name: row.name, rounds: [] };
  const [first] = durable.rows;
  const table = renderLines([
    ['', 'durable deletes/s', 'processor µs/request', 'contract layer alone, processor µs/request'],
    ...durable.rows
      .slice(0, README_ROWS)
      .map((row) => [
        row.name,
        metricCell(row, 'perSecond', first),
        metricCell(row, 'processorMicroseconds', first),
        metricCell(alone(row), 'processorMicroseconds', first && alone(first)),
      ]),
  ]);
  const caption = `Node ${node}; in brackets is the ratio to the plant store. The first two columns compare group commit, in which requests
that arrive together share one fsync (the plant store and bare node:http), with one fsync per request (the others):
they differ by the disk. The last column is the same requests without a store.`;
  return between(readme, 'README.md', `${table}\n\n${caption}`);
}

/** The README of openapi-exact with its rows about speed replaced. */
export function renderLibraryReadme(readme: string, { node, scenarios }: Results): string {
  const messages = scenarios.find(({ id }) => id === 'messages');
  if (messages === undefined) throw new Error('The results lack messages.');
  const caption = `Processor µs per request, by \`npm run bench\` on Node ${node}: 64 connections, a bearer token with each message, each server
written as its README says. In brackets is the ratio to openapi-exact.`;
  return between(readme, 'The README of openapi-exact', `${renderServers(messages.rows)}\n\n${caption}`);
}

/** A document with what is between the markers replaced. */
function between(document: string, name: string, text: string): string {
  const [start, end] = [document.indexOf(START), document.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${name} needs ${START} and ${END}.`);
  return `${document.slice(0, start)}${START}\n${text}\n${document.slice(end)}`;
}

/** A scenario as a table of Markdown. */
export function renderTable(scenario: ScenarioResult): string {
  const { rows } = scenario;
  if (rows.some(({ server }) => server !== undefined)) return `${renderMessages(rows)}\n\n${renderShares(rows)}`;
  const metrics = metricsOf(scenario);
  return renderLines([
    ['', ...metrics.map((metric) => METRICS[metric].title)],
    ...rows.map((row) => [row.name, ...metrics.map((metric) => metricCell(row, metric, rows[0]))]),
  ]);
}

function metricCell(row: Row, metric: Metric, first: Row | undefined): string {
  const base = first === row || first === undefined ? undefined : medianOf(first, metric);
  return cell(medianOf(row, metric), base, METRICS[metric].digits);
}

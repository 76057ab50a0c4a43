import { medianOf, METRICS, metricsOf, type Metric, type Results, type Row, type ScenarioResult } from './results.ts';

const README_START = '<!-- Written by `npm run bench`. -->';
const README_END = '<!-- End of what `npm run bench` writes. -->';
/** The most rows that README.md quotes. */
const README_ROWS = 5;

/** docs/benchmarks.md, made of docs/benchmarks/results.json alone. */
export function renderPage(results: Results): string {
  const { date, commit, node, machine, stolen, scenarios } = results;
  return `# Benchmarks

How fast the service is beside other servers, and how that is measured.

\`npm run bench\` writes this page, [the chart](benchmarks/chart.svg) and
[all rounds](benchmarks/results.json) in one run. This run:

- ${date.slice(0, 10)}, commit ${commit}, Node ${node}
- ${machine}
- Other guests of the machine took ${(stolen * 100).toFixed(1)} % of its processors' time.

![Requests per second of each server](benchmarks/chart.svg)

${scenarios.map((scenario) => `## ${scenario.title}\n\n${scenario.text}\n\n${renderTable(scenario)}`).join('\n\n')}

## How it is measured

- Each server is a process of its own on one core, started as a user would start it. Before it is
  measured it must answer 204, 404, 401 and 400 where each is right (the bare servers 204 and 404).
- The servers of a table run side by side; one at a time has load. Rounds of two seconds alternate
  in direction (A B C, C B A). After two rounds all processes and databases are replaced.
- A figure is the median of a row's rounds; in brackets is its ratio to the first row's median.
- Load: 64 keep-alive connections, one request at a time on each. Each request deletes another
  plant and must be answered 204; in the table of refusals each must be refused.
- Processor time is what the operating system accounts to the server's process with all its threads
  (\`/proc/<pid>/stat\`), divided by the requests. The load and PostgreSQL are not part of it.
- Competitors are written as their documentation says, with one durable commit per request. All
  servers use the same SQLite file with \`synchronous=FULL\` and the same size of the write-ahead log.
- \`bare node:http\` is the yardstick: a plain group commit, no contract, no authentication.
- The plant store runs with \`NODE_ENV=production\`, \`LOG_LEVEL=warn\` and
  \`AUTH_FAILURES_PER_MINUTE=0\`, so that 401 is measured instead of 429.

## How far to trust it

- Compare rows of one table, not figures of two runs: on a shared machine the same commit differs
  from hour to hour.
- Processor time per request is the steadiest figure. Requests per second also depend on the disk:
  the slower an fsync, the more group commit decides and the less the contract layer.
- Load and server share a machine; on two cores PostgreSQL shares them too.
- The competitors do less: each of them rounds int64, so that a request for the plant
  9007199254740993 deletes 9007199254740992.

\`npm run bench\` takes up to ten minutes. \`npm run bench -- --quick\` (a minute) and
\`npm run bench -- --only durable\` only print. A run in which a server fails writes nothing.
`;
}

/** README.md with its rows about speed replaced. @throws Error when its markers are missing. */
export function renderReadme(readme: string, results: Results): string {
  const [before, , after] = splitReadme(readme);
  const [first] = results.scenarios;
  if (first === undefined) throw new Error('The results have no scenario.');
  const rows = { ...first, rows: first.rows.slice(0, README_ROWS) };
  return `${before}${README_START}\n${renderTable(rows, ['perSecond', 'processorMicroseconds'])}\n${README_END}${after}`;
}

function splitReadme(readme: string): [before: string, between: string, after: string] {
  const [start, end] = [readme.indexOf(README_START), readme.indexOf(README_END)];
  if (start < 0 || end < start) throw new Error(`README.md needs ${README_START} and ${README_END}.`);
  return [readme.slice(0, start), readme.slice(start, end), readme.slice(end + README_END.length)];
}

/** A scenario as a table of Markdown. */
export function renderTable(scenario: ScenarioResult, metrics: readonly Metric[] = metricsOf(scenario)): string {
  const { rows } = scenario;
  const lines = [
    ['', ...metrics.map((metric) => METRICS[metric].title)],
    ['---', ...metrics.map(() => '---:')],
    ...rows.map((row) => [nameOf(row), ...metrics.map((metric) => cell(row, metric, rows[0]))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function nameOf({ name, failed }: Row): string {
  return failed === undefined ? name : `${name}: failed: ${failed}`;
}

function cell(row: Row, metric: Metric, first: Row | undefined): string {
  const value = medianOf(row, metric);
  if (value === undefined) return '–';
  const { digits } = METRICS[metric];
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const base = first === row || first === undefined ? undefined : medianOf(first, metric);
  return base === undefined ? text : `${text} (${(value / base).toFixed(2)})`;
}

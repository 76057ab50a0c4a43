import { expect, test } from '@jest/globals';
import { drawChart } from '../../scripts/bench/chart.ts';
import { renderLibraryReadme, renderPage, renderReadme } from '../../scripts/bench/page.ts';
import type { Results } from '../../scripts/bench/results.ts';
import { SCENARIOS } from '../../scripts/bench/scenarios.ts';
import { readProjectFile } from 'test-support/readme.ts';

// The bench has written it.
const results = JSON.parse(await readProjectFile('docs/benchmarks/results.json')) as Results;

test('the published results are one complete run', () => {
  expect(results.commit).toMatch(/^[0-9a-f]{7,}$/);
  expect(results.scenarios.map(({ id }) => id)).toEqual(SCENARIOS.map(({ id }) => id));
});

// `npm run bench -- --render` writes them again when their form has changed.
test('docs/benchmarks.md, the chart and both READMEs quote the published results', async () => {
  const page = await readProjectFile('docs/benchmarks.md');
  expect(page).toBe(renderPage(page, results));
  expect(await readProjectFile('docs/benchmarks/chart.svg')).toBe(drawChart(results));
  const readme = await readProjectFile('README.md');
  expect(readme).toBe(renderReadme(readme, results));
  const libraryReadme = await readProjectFile('packages/openapi-exact/README.md');
  expect(libraryReadme).toBe(renderLibraryReadme(libraryReadme, results));
});

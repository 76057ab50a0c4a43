import { expect, test } from '@jest/globals';
import { createMetrics } from '../../src/admin/metrics.ts';
import { readProjectFile } from '../support/readme.ts';

const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

test('answers are counted once, by operation and status, however often the metrics are read', async () => {
  const { answered, read } = createMetrics();
  const answer = { operation: 'deletePlant', status: 204, seconds: 0.001, reason: undefined };
  for (const status of [204, 204, 404]) answered({ ...answer, status });
  await read();
  answered(answer);
  await read();
  expect(
    (await read()).text.split('\n').filter((line) => /^(http_|store_).*(_total|_seconds_count)/.test(line)),
  ).toEqual([
    'http_requests_total{operation="deletePlant",status="204"} 3',
    'http_requests_total{operation="deletePlant",status="404"} 1',
    'store_commit_duration_seconds_count 0',
    'http_request_duration_seconds_count{operation="deletePlant"} 4',
  ]);
});

test('the first scrape has the event-loop delay', async () => {
  const { text } = await createMetrics().read();
  const values = [...text.matchAll(/^nodejs_eventloop_lag_(?:min|mean|max|p99)_seconds (\S+)$/gm)].map(([, value]) =>
    Number(value),
  );
  expect(values).toHaveLength(4);
  // An empty measurement has 292 years for its smallest value, and NaN for its mean.
  expect(values.filter((value) => !(value > 0 && value < 60))).toEqual([]);
});

test('latencies are counted in every bucket that ends at or above them, with the label escaped', async () => {
  const { answered, read } = createMetrics();
  for (const seconds of [0.0001, 0.0005, 0.00051, 0.25, 10, 11]) {
    answered({ operation: 'a "quoted"\\name', status: 204, seconds, reason: undefined });
  }
  const label = 'operation="a \\"quoted\\"\\\\name"';
  const name = 'http_request_duration_seconds';
  const buckets = [
    ...[2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5].map((count, index) => [BOUNDS[index], count]),
    ['+Inf', 6],
  ];
  const lines = (await read()).text.split('\n').filter((line) => line.includes(name));
  expect(lines).toEqual([
    `# HELP ${name} Duration of a request, from its arrival to its response.`,
    `# TYPE ${name} histogram`,
    ...buckets.map(([le, count]) => `${name}_bucket{le="${le}",${label}} ${count}`),
    `${name}_sum{${label}} 21.25111`,
    `${name}_count{${label}} 6`,
  ]);
});

test('each server has metrics of its own', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.answered({ operation: 'deletePlant', status: 204, seconds: 0.001, reason: undefined });
  expect((await one.read()).text).toContain('deletePlant');
  expect((await other.read()).text).not.toContain('deletePlant');
});

test('one series has the versions of the service and of Node', async () => {
  // npm has checked its form.
  const { version } = JSON.parse(await readProjectFile('package.json')) as { version: string };
  const lines = (await createMetrics().read()).text.split('\n').filter((line) => line.startsWith('plant_store_'));
  expect(lines).toEqual([`plant_store_build_info{version="${version}",node="${process.versions.node}"} 1`]);
});

test('every metric has a description, and exactly the counters have names that end in _total', async () => {
  const { text } = await createMetrics().read();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
  expect(types.filter(({ name }) => /_(count|sum|bucket)$|[A-Z:]/.test(name))).toEqual([]);
  expect(types.filter(({ name }) => !new RegExp(`^# HELP ${name} \\S`, 'm').test(text))).toEqual([]);
});

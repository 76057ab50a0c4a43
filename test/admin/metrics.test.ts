import { expect, test } from '@jest/globals';
import { createMetrics } from '../../src/admin/metrics.ts';
import { readProjectFile } from '../support/readme.ts';

test('the first scrape has the event-loop delay', async () => {
  const { text } = await createMetrics().read();
  const values = [...text.matchAll(/^nodejs_eventloop_lag_(?:min|mean|max|p99)_seconds (\S+)$/gm)].map(([, value]) =>
    Number(value),
  );
  expect(values).toHaveLength(4);
  // An empty measurement has 292 years for its smallest value, and NaN for its mean.
  expect(values.filter((value) => !(value > 0 && value < 60))).toEqual([]);
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

import { expect, test } from '@jest/globals';
import { createMetrics } from '../../src/admin/metrics.ts';

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

test('failed authentications are counted once, by the name of the error, and nothing else is one', async () => {
  const { answered, read } = createMetrics();
  const fail = (
    status: number,
    reason: 'invalidToken' | 'insufficientScope' | 'tooManyFailures' | 'unknownPath',
  ): void => {
    answered({ operation: 'deletePlant', status, seconds: 0.001, reason });
  };
  fail(401, 'invalidToken');
  await read();
  fail(401, 'invalidToken');
  fail(403, 'insufficientScope');
  fail(429, 'tooManyFailures');
  fail(404, 'unknownPath');
  expect((await read()).text.split('\n').filter((line) => line.startsWith('authentication_failures_total'))).toEqual([
    'authentication_failures_total{reason="invalidToken"} 2',
    'authentication_failures_total{reason="insufficientScope"} 1',
    'authentication_failures_total{reason="tooManyFailures"} 1',
  ]);
});

test('the first reading knows how late the event loop is', async () => {
  const { text } = await createMetrics().read();
  const values = [...text.matchAll(/^nodejs_eventloop_lag_(?:min|mean|max|p99)_seconds (\S+)$/gm)].map(([, value]) =>
    Number(value),
  );
  expect(values).toHaveLength(4);
  // An empty measurement has 292 years for its smallest value, and NaN for its mean.
  expect(values.filter((value) => !(value > 0 && value < 60))).toEqual([]);
});

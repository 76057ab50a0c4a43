import { expect, test } from '@jest/globals';
import { Latencies, latencyText } from '../../src/admin/latencies.ts';

test('latencies are written as Prometheus reads them, each in all buckets that end at it or beyond', () => {
  const latencies = new Latencies();
  for (const seconds of [0.0001, 0.0005, 0.00051, 0.25, 10, 11]) latencies.observe(seconds);
  const buckets = [
    ['0.0005', 2],
    ['0.001', 3],
    ['0.0025', 3],
    ['0.005', 3],
    ['0.01', 3],
    ['0.025', 3],
    ['0.05', 3],
    ['0.1', 3],
    ['0.25', 4],
    ['0.5', 4],
    ['1', 4],
    ['2.5', 4],
    ['5', 4],
    ['10', 5],
    ['+Inf', 6],
  ];
  expect(latencyText(new Map([['a "quoted"\\name', latencies]]))).toBe(
    [
      '# HELP http_request_duration_seconds From the arrival of a request to its answer.',
      '# TYPE http_request_duration_seconds histogram',
      ...buckets.map(
        ([le, count]) => `http_request_duration_seconds_bucket{le="${le}",operation="a \\"quoted\\"\\\\name"} ${count}`,
      ),
      'http_request_duration_seconds_sum{operation="a \\"quoted\\"\\\\name"} 21.25111',
      'http_request_duration_seconds_count{operation="a \\"quoted\\"\\\\name"} 6',
      '',
    ].join('\n'),
  );
});

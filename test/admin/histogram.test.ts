import { expect, test } from '@jest/globals';
import { Histogram, textByOperation, textWithoutLabels } from '../../src/admin/histogram.ts';

test('latencies are written as Prometheus reads them, each in all buckets that end at it or beyond', () => {
  const latencies = new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]);
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
  const help = 'From the arrival of a request to its answer.';
  const histograms = new Map([['a "quoted"\\name', latencies]]);
  expect(textByOperation('http_request_duration_seconds', help, histograms)).toBe(
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

test('a histogram without labels has none but the bound', () => {
  const sizes = new Histogram([1, 2]);
  for (const size of [1, 2, 3]) sizes.observe(size);
  expect(textWithoutLabels('store_batch_size', 'Deletes that one commit carried.', sizes)).toBe(
    [
      '# HELP store_batch_size Deletes that one commit carried.',
      '# TYPE store_batch_size histogram',
      'store_batch_size_bucket{le="1"} 1',
      'store_batch_size_bucket{le="2"} 2',
      'store_batch_size_bucket{le="+Inf"} 3',
      'store_batch_size_sum 6',
      'store_batch_size_count 3',
      '',
    ].join('\n'),
  );
});

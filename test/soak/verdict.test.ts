import { expect, test } from '@jest/globals';
import { judgeSamples, type Sample } from './verdict.ts';

const STEADY: Sample = { memory: 100, descriptors: 50, p50: 1, p99: 5 };

/** The measures that grow in an hour of samples. @param value by the part of the time passed. */
function growing(key: keyof Sample, value: (part: number) => number): string[] {
  const samples = Array.from({ length: 360 }, (_, index) => ({ ...STEADY, [key]: value(index / 360) }));
  return judgeSamples(samples).flatMap(({ measure, isFlat }) => (isFlat ? [] : [measure]));
}

test.each([
  ['memory grows at first', 'memory', (part: number) => 60 + 40 * Math.min(1, part * 3)],
  ['descriptors vary', 'descriptors', (part: number) => 50 + Math.round(Math.abs(Math.sin(part * 99)) * 4)],
  ['latency is high at first', 'p99', (part: number) => (part < 0.3 ? 40 : 5)],
  ['latency has an outlier', 'p99', (part: number) => (part > 0.8 && part < 0.81 ? 500 : 5)],
  ['memory has an outlier', 'memory', (part: number) => (part > 0.8 && part < 0.81 ? 300 : 100)],
] as const)('a service whose %s passes', (_name, key, value) => {
  expect(growing(key, value)).toEqual([]);
});

test.each([
  ['memory', (part: number) => 100 + 60 * part, 'memory in MB'],
  ['descriptors', (part: number) => 50 + Math.floor(part * 10), 'open descriptors'],
  ['p50', (part: number) => 1 + 20 * part, 'latency in ms, p50'],
  ['p99', (part: number) => 5 + 50 * part, 'latency in ms, p99'],
] as const)('a service whose %s grows over time fails', (key, value, measure) => {
  expect(growing(key, value)).toEqual([measure]);
});

test('a missing measurement fails', () => {
  expect(growing('memory', () => NaN)).toEqual(['memory in MB']);
  expect(() => judgeSamples([STEADY, STEADY, STEADY])).toThrow('too few samples');
});

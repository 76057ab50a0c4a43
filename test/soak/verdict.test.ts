import { expect, test } from '@jest/globals';
import { judgeSamples, type Sample } from './verdict.ts';

const STEADY: Sample = { memory: 100, descriptors: 50, p50: 1, p99: 5 };

/** What the verdict says grows when a measure has these values in time. */
function growing(key: keyof Sample, values: readonly number[]): string[] {
  const samples = values.map((value) => ({ ...STEADY, [key]: value }));
  return judgeSamples(samples).flatMap(({ measure, isFlat }) => (isFlat ? [] : [measure]));
}

/** As many values as an hour gives, from a function of the part of the time that has passed. */
function course(value: (part: number) => number): number[] {
  return Array.from({ length: 360 }, (_, index) => value(index / 360));
}

test('a service that warms up and then stays steady passes', () => {
  expect(
    growing(
      'memory',
      course((part) => 60 + 40 * Math.min(1, part * 3)),
    ),
  ).toEqual([]);
  expect(
    growing(
      'descriptors',
      course((part) => 50 + Math.round(Math.abs(Math.sin(part * 99)) * 4)),
    ),
  ).toEqual([]);
  expect(
    growing(
      'p99',
      course((part) => (part < 0.3 ? 40 : 5)),
    ),
  ).toEqual([]);
});

test.each([
  ['memory', (part: number) => 100 + 60 * part, 'memory in MB'],
  ['descriptors', (part: number) => 50 + Math.floor(part * 10), 'open descriptors'],
  ['p50', (part: number) => 1 + 20 * part, 'latency in ms, p50'],
  ['p99', (part: number) => 5 + 50 * part, 'latency in ms, p99'],
] as const)('a service whose %s grows over time fails', (key, value, measure) => {
  expect(growing(key, course(value))).toEqual([measure]);
});

test('a single outlier passes', () => {
  expect(
    growing(
      'p99',
      course((part) => (part > 0.8 && part < 0.81 ? 500 : 5)),
    ),
  ).toEqual([]);
  expect(
    growing(
      'memory',
      course((part) => (part > 0.8 && part < 0.81 ? 300 : 100)),
    ),
  ).toEqual([]);
});

test('a missing measurement fails', () => {
  expect(
    growing(
      'memory',
      course(() => NaN),
    ),
  ).toEqual(['memory in MB']);
  expect(() => judgeSamples([STEADY, STEADY, STEADY])).toThrow('too few samples');
});

import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { DatabaseUnreachableError } from '../../src/errors.ts';
import { untilReachable } from '../../src/service/until-reachable.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a database that cannot be reached is asked each second, and reported at once and again each minute with the reason', async () => {
  let attempts = 0;
  const reports: string[] = [];
  let reached = 0;
  const result = untilReachable(
    () =>
      ++attempts <= 150 ? Promise.reject(new DatabaseUnreachableError(`refused ${attempts}`)) : Promise.resolve(1),
    {
      onFailure: () => undefined,
      onReport: (reason) => reports.push(reason),
      onReached: () => reached++,
    },
  );
  await jest.advanceTimersByTimeAsync(149_500);
  expect({ attempts, reports, reached }).toEqual({
    attempts: 150,
    reports: ['refused 1', 'refused 61', 'refused 121'],
    reached: 0,
  });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await result).toBe(1);
  expect(reached).toBe(1);
});

test('another failure, or a database that answers at once, is not reported', async () => {
  const waiting = { onFailure: jest.fn(), onReport: jest.fn(), onReached: jest.fn() };
  expect(await untilReachable(() => Promise.resolve(2), waiting)).toBe(2);
  await expect(untilReachable(() => Promise.reject(new Error('no right')), waiting)).rejects.toThrow('no right');
  for (const told of Object.values(waiting)) expect(told).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { StoreError } from '../../src/errors.ts';
import { FailureLog } from '../../src/logging/failure-log.ts';
import { RecordedLog } from '../support/recorded-log.ts';

let recorded: RecordedLog;
let failures: FailureLog;
beforeEach(() => {
  jest.useFakeTimers();
  recorded = new RecordedLog();
  failures = new FailureLog(recorded.log);
});
afterEach(() => {
  jest.useRealTimers();
});

/** The lines so far without the fields that every line has. */
function lines(): unknown[] {
  return recorded.lines.map(({ level: _, time: _time, pid: _pid, hostname: _host, ...line }) => line);
}

test('of failures of one cause the first is logged at once without a stack, the others with a count each second', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const fail = (attempt: number): boolean =>
    failures.note(new StoreError(`PostgreSQL: attempt ${attempt}`, 'nothing done', { cause }), 'unavailable', {
      requestId: 'r1',
    });
  expect([fail(1), fail(2), fail(3)]).toEqual([true, false, false]);
  const repeated = { reason: 'PostgreSQL: attempt 1', msg: 'unavailable' };
  expect(lines()).toEqual([{ ...repeated, outcome: 'nothing done', code: 'ECONNREFUSED', requestId: 'r1' }]);
  jest.advanceTimersByTime(1_000);
  expect(fail(4)).toBe(false);
  jest.advanceTimersByTime(1_000);
  expect(lines().slice(1)).toEqual([
    { ...repeated, failures: 2 },
    { ...repeated, failures: 1 },
  ]);
  jest.advanceTimersByTime(1_000);
  expect(lines()).toHaveLength(3);
  expect(fail(5)).toBe(true);
});

test('failures that each have a reason of their own share a line in the end, and a bug among them has its own, with its stack', () => {
  const fail = (index: number): boolean =>
    failures.note(new StoreError(`no ${'x'.repeat(index)}`, 'nothing done'), 'unavailable', {});
  const own = Array.from({ length: 1_000 }, (_, index) => fail(index)).filter(Boolean);
  expect(failures.note(new TypeError('x is not a function'), 'failed unexpectedly', {})).toBe(true);
  jest.advanceTimersByTime(1_000);
  expect(own.length).toBeLessThan(50);
  expect(lines()).toHaveLength(own.length + 2);
  expect(lines().at(-2)).toMatchObject({ err: { stack: expect.stringContaining('failure-log.test.ts') } });
  expect(lines().at(-1)).toMatchObject({ failures: 1_000 - own.length });
});

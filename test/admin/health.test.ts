import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createHealth } from '../../src/admin/health.ts';

test('concurrent health requests share one check of the store for one second', async () => {
  let checks = 0;
  const { unready, stopping } = createHealth(async () => {
    if (++checks === 2) throw new Error('The disk is full.');
    await pause(20);
  });
  expect(await Promise.all(Array.from({ length: 90 }, unready))).toEqual(Array(90).fill(undefined));
  expect(await unready()).toBeUndefined();
  expect(checks).toBe(1);
  await pause(1_100);
  expect(await Promise.all([unready(), unready()])).toEqual(['The disk is full.', 'The disk is full.']);
  expect(checks).toBe(2);
  stopping();
  expect(await unready()).toBe('The service is stopping.');
  expect(checks).toBe(2);
});

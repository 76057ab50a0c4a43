import { expect } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment, Workplace } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED, stock } from '../support/stock.ts';

/** A time in which the store can delete nothing. */
export interface Outage {
  /** The settings of the commands that fill and read the store, and of the service. */
  readonly env?: Environment;
  /** Settings of the service alone. */
  readonly serviceEnv?: Environment;
  readonly begin: () => unknown;
  readonly end: () => unknown;
  /** What /readyz says meanwhile. */
  readonly reason: RegExp;
  /** How many deletes may have an unknown outcome: none by default. */
  readonly unknown?: number;
}

/** Deletes that were on their way at the beginning or the end of an outage, at most. */
export const ON_THEIR_WAY = 16;
/** Longer than /readyz takes to notice, and PostgreSQL to start after a crash, in milliseconds. */
const NOTICED = 20_000;
/** The longest that a client waits, in milliseconds: 5 s to be begun, 5 s for the commit. */
const LONGEST = 11_000;

/**
 * Deletes plants from several clients throughout an outage, and expects the service to live, to say
 * why it is not ready, to answer truthfully and to go on by itself.
 */
export async function expectRecovery(place: Workplace, fault: string, outage: Outage): Promise<void> {
  const { env = {}, serviceEnv = {}, begin, end, reason, unknown: mostUnknown = 0 } = outage;
  const plants = await stock(place, 20_000, env);
  const service = await place.serve({ NODE_ENV: 'production', ...env, ...serviceEnv });
  const start = performance.now();
  const lasting = async (): Promise<number> => {
    await pause(300);
    await begin();
    const { body } = await untilReadyz(service, 503, NOTICED);
    expect(body).toEqual({ status: 'not ready', reason: expect.stringMatching(reason) });
    await pause(500);
    expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
    expect(await healthOf(service, '/readyz')).toMatchObject({ status: 503 });
    await end();
    const ended = performance.now();
    await untilReadyz(service, 200, NOTICED);
    const ms = Math.round(performance.now() - ended);
    await pause(300);
    return ms;
  };
  const wanted = everyOther(plants.ids)[Symbol.iterator]();
  const lasted = lasting();
  const longest = await plants.deleteDuring(lasted, service, wanted);
  const ms = await lasted;
  const {
    204: deleted = 0,
    [NOTHING_DONE]: refused = 0,
    [OVERLOADED]: overloaded = 0,
    [OUTCOME_UNKNOWN]: unknown = 0,
    ...others
  } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(0);
  expect(refused + overloaded + unknown).toBeGreaterThan(0);
  expect(unknown).toBeLessThanOrEqual(mostUnknown);
  expect(longest).toBeLessThan(LONGEST);
  const after = Array.from({ length: 100 }, () => wanted.next().value ?? 0n);
  await plants.deleteAll(service, after);
  expect(plants.ledger.statuses()).toMatchObject({ 204: deleted + after.length });
  // A cause has a line a second, however many requests it fails.
  const errors = service.output().match(/^.*"level":50.*$/gm) ?? [];
  expect(errors.length).toBeLessThan((2 * (performance.now() - start)) / 1000 + 10 + unknown);
  expect(errors.join('\n')).not.toContain('    at ');
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toBe('');
  await plants.expectUnharmed(fault, [OUTCOME_UNKNOWN], `ready ${ms} ms after it`);
}

export function fillDisk(file: string): void {
  expect(spawnSync('cp', ['/dev/zero', file]).status).toBe(1);
}

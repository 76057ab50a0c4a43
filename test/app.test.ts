import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Dependencies } from '../src/app.ts';
import { StoreError } from '../src/errors.ts';
import { RecordedLog } from './support/recorded-log.ts';
import { deletePlant, expectError } from './support/send.ts';
import { DELETE_PLANT, plantsIn, startService, type Service } from './support/service.ts';

let recorded: RecordedLog;
let service: Service;
let other: Service | undefined;
/** A service with another handler. */
async function withHandler(handler: Dependencies['handlers'][string]): Promise<Service> {
  return (other = await startService([1n], recorded.log, { handlers: { [DELETE_PLANT]: handler } }));
}

describe('an internal failure', () => {
  beforeEach(async () => {
    recorded = new RecordedLog();
    service = await startService([1n], recorded.log);
  });
  afterEach(async () => {
    await service.close();
    await other?.close();
    other = undefined;
  });

  test('caused by a bug gets 500 without details, which are in the log', async () => {
    const buggy = await withHandler(() => {
      throw new TypeError('the password is 12345');
    });
    const message = 'The service failed unexpectedly. The failure has been logged.';
    expect(expectError(await deletePlant(buggy, 1n), 50000)).toBe(message);
    const [request] = await recorded.linesOf('request');
    const stack = expect.stringContaining('app.test.ts');
    expect(await recorded.linesOf(message)).toMatchObject([
      {
        level: 50,
        err: { type: 'TypeError', message: 'the password is 12345', stack },
        requestId: request?.['requestId'],
      },
    ]);
    expect(await plantsIn(buggy.stores)).toEqual([1n]);
  });

  test.each([
    ['that did nothing', 'nothing done', 50300],
    ['whose outcome is unknown', 'unknown', 50301],
  ] as const)('of the store %s is answered 503, says so, and when to come again', async (_name, outcome, code) => {
    const failing = await withHandler(() => Promise.reject(new StoreError('SQLite: disk I/O error', outcome)));
    const response = await deletePlant(failing, 1n);
    const message = expectError(response, code);
    expect(response.headers['retry-after']).toBe('1');
    expect(await recorded.linesOf(message)).toMatchObject([{ reason: 'SQLite: disk I/O error', outcome }]);
  });
});

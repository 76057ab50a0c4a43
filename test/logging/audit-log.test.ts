import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordedLog } from '../support/recorded-log.ts';
import { deletePlant } from '../support/send.ts';
import { DELETE_PLANT, startService, type Service } from '../support/service.ts';

let service: Service;
let recorded: RecordedLog;
describe('the audit log', () => {
  beforeEach(async () => {
    recorded = new RecordedLog();
    service = await startService([1n, 9007199254740993n], recorded.log, { audit: true });
  });
  afterEach(() => service.close());

  test('each deletion has a line in the log named audit: when, which plant, whose token, which request', async () => {
    await deletePlant(service, 9007199254740993n, { headers: { 'X-Request-Id': 'order-7' } });
    expect(await recorded.linesOf('done')).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: process.pid,
        hostname: expect.any(String),
        name: 'audit',
        operation: DELETE_PLANT,
        id: '9007199254740993',
        token: 'tests',
        requestId: 'order-7',
        msg: 'done',
      },
    ]);
  });

  test('requests that delete nothing have no line: unknown plants, bad requests, failed authentications', async () => {
    await deletePlant(service, 2n);
    await deletePlant(service, 'x');
    await deletePlant(service, 1n, { token: null });
    await deletePlant(service, 1n);
    const lines = await recorded.linesOf('done');
    expect(lines).toMatchObject([{ id: '1' }]);
    await recorded.linesOf('request', 4);
    expect(recorded.lines.filter(({ name }) => name === 'audit')).toHaveLength(1);
    expect(recorded.text()).not.toContain(service.token);
  });
});

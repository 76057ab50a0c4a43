import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { preload } from '../support/preload.ts';
import { untilReadyz } from '../support/health.ts';
import { everyOther, stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

const place = workplaceOfEachTest();

test.each([
  ['an uncaught exception', `process.on('SIGUSR2', () => { throw new Error('injected'); });`],
  ['an unhandled rejection', `process.on('SIGUSR2', () => { Promise.reject(new Error('injected')); });`],
])('%s is logged as fatal, what was begun is answered, and the server ends with 1', async (fault, code) => {
  const plants = await stock(place, 100);
  const server = await place.serve({}, preload(code));
  const asked = await whileLocked(plants.file, async (release) => {
    const asked = Promise.all(everyOther(plants.ids).map((id) => plants.delete(server, id)));
    await pause(500);
    server.kill('SIGUSR2');
    expect(await untilReadyz(server, 503, 1_000)).toMatchObject({ body: { status: 'not ready' } });
    release();
    return { asked };
  });
  await asked.asked;
  const { code: exit, stdout } = await server.ended;
  expect(exit).toBe(1);
  expect(plants.ledger.statuses()).toEqual({ 204: 50 });
  const fatal = stdout
    .split('\n')
    .filter((line) => line.startsWith('{"level":60'))
    .map((line) => JSON.parse(line) as unknown);
  expect(fatal).toMatchObject([{ err: { message: 'injected', stack: expect.any(String) } }]);
  await plants.expectUnharmed(`${fault}, 50 requests at work`, `${plants.answers()}; one fatal line, exit 1`);
});

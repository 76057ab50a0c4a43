import { expect, test } from '@jest/globals';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../src/errors.ts';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther, stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

const place = workplaceOfEachTest();

/** The bytes in the write-ahead log; 0 without such a file. */
async function walBytes(file: string): Promise<number> {
  return (await stat(`${file}-wal`).catch(() => ({ size: 0 }))).size;
}

/** Options of Node with which a signal fails. */
function throwing(code: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${code} });`)}`];
}

test.each<[fault: string, signal: NodeJS.Signals, exit: number, node: readonly string[]]>([
  ['SIGTERM', 'SIGTERM', 0, []],
  ['SIGINT', 'SIGINT', 0, []],
  ['an uncaught exception', 'SIGUSR2', 1, throwing("throw new Error('injected')")],
  ['an unhandled rejection', 'SIGUSR2', 1, throwing("Promise.reject(new Error('injected'))")],
])(
  'deletes at work when %s comes are all answered, while the server is not ready and takes no connection',
  async (fault, signal, exit, node) => {
    const plants = await stock(place, 400);
    const server = await place.serve({}, node);
    expect(await healthOf(server, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    const asked = await whileLocked(plants.file, async (release) => {
      // The lock keeps every delete at work.
      const asked = Promise.all(everyOther(plants.ids).map((id) => plants.delete(server, id)));
      while (!/^store_queue_length 200$/m.test(await (await fetch(`${server.admin}/metrics`)).text())) await pause(20);
      server.kill(signal);
      expect(await untilReadyz(server, 503, 1_000)).toEqual({
        status: 503,
        body: { status: 'not ready', reason: expect.any(String) },
      });
      expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
      expect(await openRaw(server.url).catch(codeOf)).toBe('ECONNREFUSED');
      release();
      return { answered: asked };
    });
    await asked.answered;
    const released = performance.now();
    const { code, stdout, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: exit, stderr: '' });
    expect(performance.now() - released).toBeLessThan(10_000);
    // No line of the log is lost at the end.
    const lines = stdout.trimEnd().split('\n');
    const audited = lines
      .filter((line) => line.includes('"name":"audit"'))
      .map((line) => /"id":"(\d+)"/.exec(line)?.[1] ?? '');
    expect(audited.sort()).toEqual(everyOther(plants.ids).map(String).sort());
    const fatal = lines.filter((line) => line.startsWith('{"level":60')).map((line) => JSON.parse(line) as unknown);
    const injected = { err: { message: 'injected', stack: expect.any(String) } };
    expect(fatal).toMatchObject(exit === 0 ? [] : [injected]);
    expect(lines.at(-1)).toContain('"msg":"stopped"');
    expect(plants.ledger.statuses()).toEqual({ 204: 200 });
    expect(await walBytes(plants.file)).toBe(0);
    await plants.expectUnharmed(`${fault}, 200 requests at work`);
  },
);

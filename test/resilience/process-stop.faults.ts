import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../src/errors.ts';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { everyOther, stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

const place = workplaceOfEachTest();

/** How a connection to the server's port ends: 'open', or the error's code. */
async function connecting({ url }: ServerProcess): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return 'open';
  } catch (error) {
    return codeOf(error);
  } finally {
    socket.destroy();
  }
}

/** The bytes in the write-ahead log; 0 without such a file. */
async function walBytes(file: string): Promise<number> {
  return (await stat(`${file}-wal`).catch(() => ({ size: 0 }))).size;
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'deletes at work when %s comes are all answered, while the server is not ready and takes no connection',
  async (signal) => {
    const plants = await stock(place, 400);
    const server = await place.serve();
    expect(await healthOf(server, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    const { readyAfter, asked } = await whileLocked(plants.file, async (release) => {
      // The lock keeps every delete at work.
      const asked = Promise.all(everyOther(plants.ids).map((id) => plants.delete(server, id)));
      await pause(1_000);
      const start = performance.now();
      server.kill(signal);
      expect(await untilReadyz(server, 503, 1_000)).toEqual({
        status: 503,
        body: { status: 'not ready', reason: expect.any(String) },
      });
      const readyAfter = Math.round(performance.now() - start);
      expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
      expect(await connecting(server)).toBe('ECONNREFUSED');
      release();
      return { readyAfter, asked };
    });
    await asked;
    const released = performance.now();
    const { code, stdout, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const seconds = (performance.now() - released) / 1000;
    // No line of the log is lost at the end.
    const lines = stdout.trimEnd().split('\n');
    const audited = lines
      .filter((line) => line.includes('"name":"audit"'))
      .map((line) => /"id":"(\d+)"/.exec(line)?.[1] ?? '');
    expect(audited.sort()).toEqual(everyOther(plants.ids).map(String).sort());
    expect(lines.at(-1)).toContain('"msg":"stopped"');
    expect(seconds).toBeLessThan(10);
    expect(plants.ledger.statuses()).toEqual({ 204: 200 });
    expect(await walBytes(plants.file)).toBe(0);
    await plants.expectUnharmed(
      `${signal}, 200 requests at work`,
      `${plants.answers()}; not ready after ${readyAfter} ms; exit 0 ${seconds.toFixed(1)} s after the last answer, no WAL`,
    );
  },
);

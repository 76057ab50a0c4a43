import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { contend, plantsOf } from '../support/contention.ts';
import { reportFault } from '../support/faults.ts';
import { UNHARMED } from '../support/ledger.ts';

const CROWD = { plants: 2_000, clients: 64, deletes: 100_000, importSize: 500 };
/** The server is ended and started again each time this many deletes were sent. */
const DELETES_OF_A_PROCESS = 8_000;

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.remove());

test('100,000 deletes at once with imports, while the server is stopped and killed, have an order that explains every answer', async () => {
  const token = (await place.run(['tokens', 'create', 'crowd'])).stdout.trim();
  await place.run(['plants', 'import', '-'], { input: `${plantsOf(CROWD).join('\n')}\n` });
  const env = { LOG_LEVEL: 'silent' };
  let server: ServerProcess = await place.serve(env);
  const port = Number(new URL(server.url).port);
  const timeOfEnd = (): Promise<number> => server.ended.then(() => performance.now());
  let ended = timeOfEnd();
  const restarts = { SIGTERM: 0, SIGKILL: 0 };
  let restarting = Promise.resolve();

  async function restart(): Promise<void> {
    const signal = restarts.SIGTERM > restarts.SIGKILL ? 'SIGKILL' : 'SIGTERM';
    restarts[signal]++;
    server.kill(signal);
    expect(await server.ended).toMatchObject({ code: signal === 'SIGTERM' ? 0 : null, stderr: '' });
    server = await place.serve({ ...env, PORT: String(port) });
    ended = timeOfEnd();
  }

  const { histories, answers, imports } = await contend(
    place,
    { port, token, ended: () => ended },
    CROWD,
    (deletes) => {
      if (deletes % DELETES_OF_A_PROCESS === 0) restarting = restarting.then(restart);
    },
  );
  await restarting;
  expect(await server.stop()).toBe(0);
  const { stdout } = await place.run(['plants', 'export']);
  const impossible = await histories.impossible(stdout.split('\n').slice(0, -1).map(BigInt));

  const counts = Object.entries(answers).map(
    ([status, count]) => `${count} × ${status === '0' ? 'no answer' : status}`,
  );
  await reportFault({
    fault: `${CROWD.deletes} deletes at once, ${imports} imports, ${restarts.SIGTERM} stops, ${restarts.SIGKILL} kill -9`,
    happened: `${counts.join(', ')}; ${histories.count} operations are linearizable`,
    ...UNHARMED,
    wronglyAcknowledged: impossible.size,
  });
  expect(impossible).toEqual(new Map());
  // Without these the test would show less than it says.
  expect(Object.keys(answers)).toEqual(['0', '204', '404']);
  expect(restarts.SIGKILL).toBeGreaterThan(3);
}, 300_000);

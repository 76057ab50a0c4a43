import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { deletePlantAt, workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { AUDIENCE, startKeyServer } from '../support/key-server.ts';
import { preload } from '../support/preload.ts';
import { stock } from '../support/stock.ts';

const HOUR = 3_600_000;
/** Moves the clock of a process by the milliseconds in the file `clock` at each SIGUSR2. */
const JUMPING_CLOCK = preload(`
  import { readFileSync } from 'node:fs';
  const RealDate = Date;
  let offset = 0;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(RealDate.now() + offset);
      else super(...values);
    }
    static now() { return RealDate.now() + offset; }
  };
  process.on('SIGUSR2', () => { offset = Number(readFileSync('clock', 'utf8')); console.log('clock ' + offset); });`);

const place = workplaceOfEachTest();

async function moveClock(server: ServerProcess, by: number): Promise<void> {
  await place.write('clock', String(by));
  server.kill('SIGUSR2');
  await server.until(new RegExp(`^clock ${by}$`, 'm'));
}

/** A new token that the server has accepted, and so remembers. */
async function acceptedToken(server: ServerProcess, name: string): Promise<string> {
  const { stdout } = await place.run(['tokens', 'create', name, '--expires-in', '1h']);
  const token = stdout.trim();
  expect(await deletePlantAt(server.url, token, 404n)).toMatchObject({ status: 404 });
  return token;
}

/** Uses a token until it is refused. @returns the milliseconds that took. */
async function untilRefused(server: ServerProcess, token: string): Promise<number> {
  const start = performance.now();
  while ((await deletePlantAt(server.url, token, 404n)).status !== 401) await pause(100);
  return Math.round(performance.now() - start);
}

test('a clock that jumps neither revives a token that has expired or was revoked nor keeps it alive', async () => {
  const plants = await stock(place, 10);
  const server = await place.serve({}, JUMPING_CLOCK);
  const revoke = async (name: string): Promise<void> => {
    expect(await place.run(['tokens', 'revoke', name])).toMatchObject({ code: 0 });
  };
  const short = await acceptedToken(server, 'short');
  await moveClock(server, 2 * HOUR);
  const expiredAfter = await untilRefused(server, short);
  await moveClock(server, 0);
  const early = await acceptedToken(server, 'early');
  await revoke('early');
  await untilRefused(server, early);
  // Cached before the jump, revoked after it: by the clock the entry would last another day.
  const late = await acceptedToken(server, 'late');
  await moveClock(server, -24 * HOUR);
  await revoke('late');
  const revokedAfter = await untilRefused(server, late);
  expect(Math.max(expiredAfter, revokedAfter)).toBeLessThan(5_500);
  for (const token of [early, late]) {
    expect(await deletePlantAt(server.url, token, plants.ids[0] ?? 0n)).toMatchObject({ status: 401 });
  }
  expect(await plants.delete(server, plants.ids[1] ?? 0n)).toBe(204);
  await plants.expectUnharmed(
    'the clock jumps 2 hours forward and a day back',
    `an expired token is refused after ${expiredAfter} ms, a revoked one after ${revokedAfter} ms`,
  );
});

test('a JWT lives by the clock of the service, whether it is remembered or not', async () => {
  const plants = await stock(place, 10);
  const provider = await startKeyServer();
  try {
    const settings = { AUTH_ISSUER: provider.issuer, AUTH_AUDIENCE: AUDIENCE };
    const server = await place.serve(settings, JUMPING_CLOCK);
    const token = (hours: number): string =>
      provider.token({ claims: { exp: Math.floor((Date.now() + hours * HOUR) / 1000) } });
    const [remembered, unseen, long] = [token(1), token(1), token(5)];
    const [gone = 0n, kept = 0n] = plants.ids;
    const statusOf = async (jwt: string, id = 404n): Promise<number> =>
      (await deletePlantAt(server.url, jwt, id)).status;
    expect(await statusOf(remembered)).toBe(404);
    await moveClock(server, 2 * HOUR);
    for (const jwt of [remembered, unseen]) expect(await statusOf(jwt, kept)).toBe(401);
    // The jump does not age the keys of the provider.
    await provider.goDown();
    expect(await statusOf(long, gone)).toBe(204);
    plants.ledger.note(gone, 204);
    await moveClock(server, -24 * HOUR);
    for (const jwt of [remembered, long]) expect(await statusOf(jwt)).toBe(404);
    await moveClock(server, 6 * HOUR);
    for (const jwt of [remembered, unseen, long]) expect(await statusOf(jwt, kept)).toBe(401);
  } finally {
    await provider.close();
  }
  await plants.expectUnharmed('the clock jumps hours forward and a day back', 'expired JWTs are refused at once');
});

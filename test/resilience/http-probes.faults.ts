import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { deletePlantAt, workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { stock, type Stock } from '../support/stock.ts';
import { PROBES } from './http-probes.ts';
import { fill } from './probes/probe.ts';

describe.each(Object.entries(PROBES))('%s:', (group, probes) => {
  let place: Workplace;
  let plants: Stock;
  let server: ServerProcess;
  let database: Database.Database;
  beforeAll(async () => {
    place = await workplace();
    // Three plants for each probe: its own between two neighbours.
    plants = await stock(place, 3 * Object.keys(probes).length);
    server = await place.serve({ NODE_ENV: 'production' });
    database = new Database(plants.file, { readonly: true }).defaultSafeIntegers(true);
  });
  afterAll(async () => {
    database.close();
    await place.remove();
  });

  /** What came of the probes, each in words. */
  const outcomes: string[] = [];
  const cases = Object.entries(probes).map(([name, probe], index) => ({ name, probe, index }));
  test.each(cases)(
    'a request with $name is read as RFC 9112 has it',
    async ({ probe, index }) => {
      const three = plants.ids.slice(3 * index, 3 * index + 3);
      const [before = 0n, id = 0n, neighbour = 0n] = three;
      const bytes = fill(probe, id, neighbour, plants.token);
      const { socket, ended, responses } = await openRaw(server.url);
      socket.write(bytes);
      await ended;
      // Answered after whatever else the server has found in the bytes.
      expect(await deletePlantAt(server.url, plants.token, 404n)).toMatchObject({ status: 404 });
      const statuses = responses.map(({ status }) => status);
      outcomes.push(outcome(statuses));
      if (probe.statuses.includes(204)) plants.ledger.note(id, 204);
      const there = database.prepare('SELECT id FROM plants WHERE id BETWEEN ? AND ? ORDER BY id').pluck();
      expect({ statuses, plants: there.all(before, neighbour) }).toEqual({
        statuses: probe.statuses,
        plants: probe.statuses.includes(204) ? [before, neighbour] : three,
      });
      const [method = ''] = /[A-Z]+/.exec(probe.bytes) ?? [];
      for (const response of responses) expectConformance(method, '/plants/1', response);
    },
    // A server that waits for more bytes than there are never answers.
    20_000,
  );

  test('the server lives, and no plant was harmed', async () => {
    const counts = [...new Set(outcomes)].map((one) => `${outcomes.filter((other) => other === one).length} × ${one}`);
    expect(server.errors()).toBe('');
    expect(server.output()).not.toMatch(/"level":[56]0/);
    expect(await server.stop()).toBe(0);
    await plants.expectUnharmed(`${outcomes.length} probes: ${group}`, counts.join('; '));
  });
});

/** The answers in words, without the 404 to the last request, which shows an open connection. */
function outcome(statuses: readonly number[]): string {
  const wentOn = statuses.length > 1 && statuses.at(-1) === 404;
  return wentOn ? statuses.slice(0, -1).join(' and ') : `${statuses.join(' and ') || 'nothing'}, closed`;
}

import { afterAll, describe, expect, test } from '@jest/globals';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { deletePlant } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';
import { PROBES } from './probes/probes.ts';
import { fill } from './probes/probe.ts';

const recorded = new RecordedLog();
const service = await startService([], recorded.log);
afterAll(() => service.close());

describe.each(Object.entries(PROBES))('%s:', (_group, probes) => {
  test.each(Object.entries(probes))(
    'a request with %s is read as RFC 9112 has it',
    async (_name, probe) => {
      // The probe's own plant between two neighbours, beyond 2^53.
      const [before, id, neighbour] = [9007199254740992n, 9007199254740993n, 9007199254740994n];
      await service.stores.plants.insertPlants([before, id, neighbour]);
      const { socket, ended, responses } = await openRaw(service.url);
      socket.write(fill(probe, id, neighbour, service.token));
      await ended;
      // Answered after whatever else the server has found in the bytes.
      expect(await deletePlant(service, 404n)).toMatchObject({ status: 404 });
      expect({
        statuses: responses.map(({ status }) => status),
        plants: await plantsIn(service.stores),
      }).toEqual({
        statuses: probe.statuses,
        plants: probe.statuses.includes(204) ? [before, neighbour] : [before, id, neighbour],
      });
      const [method = ''] = /[A-Z]+/.exec(probe.bytes) ?? [];
      for (const response of responses) expectConformance(method, '/plants/1', response);
    },
    // A server that waits for more bytes than there are never answers.
    20_000,
  );
});

test('no probe is a failure of the service', () => {
  expect(recorded.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

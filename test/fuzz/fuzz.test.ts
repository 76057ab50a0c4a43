import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import type { Dependencies } from '../../src/app.ts';
import { DELETE_PLANT, type Service } from '../support/service.ts';
import { attack } from './attack.ts';

/** Set by `npm run test:fuzz`. */
const { FUZZ_SECONDS = '2', FUZZ_SEED = String(randomInt(2 ** 30)) } = process.env;
const seconds = Number(FUZZ_SECONDS);

test(
  `hostile requests cause only responses of the contract, and delete nothing without a token (--seed ${FUZZ_SEED})`,
  async () => {
    // Few, because other tests run at the same time.
    const statuses = await attack({ seed: Number(FUZZ_SEED), seconds, clients: 3 });
    // Requests that all fail in the same way would prove little.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([204, 400, 401, 404]));
  },
  (seconds + 120) * 1000,
);

type Deletion = (id: bigint, service: Service, log: Logger) => unknown;
const remove = async (service: Service, ...ids: bigint[]): Promise<{ status: number }> => {
  const { deleted } = await service.stores.plants.deletePlants(ids);
  return deleted.size === 0 ? { status: 404 } : { status: 204 };
};

// The fuzzer is worth its time only if it fails for a service that breaks its promises.
test.each<[what: string, deletion: Deletion]>([
  ['acknowledges what it has not deleted', () => ({ status: 204 })],
  ['deletes the neighbour too', (id, service) => remove(service, id, id + 1n)],
  ['fails', () => Promise.reject(new Error('broken'))],
  ['answers beyond the contract', () => ({ status: 402 })],
  ['logs an error', (id, service, log) => (log.error('broken'), remove(service, id))],
  ['logs its token', (id, service, log) => (log.info(service.token), remove(service, id))],
])('the fuzzer objects to a service that %s', async (_what, deletion) => {
  const attacked = attack({ seed: 1, seconds: 60, clients: 1 }, (service, log) => {
    const handler = ({ params: { id } }: { params: { id: bigint } }): unknown => deletion(id, service(), log);
    // Not what the contract asks of a handler: that is the fault.
    return { handlers: { [DELETE_PLANT]: handler } as Dependencies['handlers'] };
  });
  await expect(attacked).rejects.toThrow('Property failed');
});

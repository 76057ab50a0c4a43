import { expect } from '@jest/globals';
import { pino } from 'pino';
import type { Dependencies } from '../../../../src/app.ts';
import { loadContract, type Contract } from '../../src/document/load.ts';
import { Docs } from '../../../../src/docs/docs.ts';
import { HttpClient, type Answer } from '../../../../test/support/http-client.ts';
import { preparedOf, serveApp, type ServedApp } from '../../../../test/support/service.ts';

export type { Answer };

/** A server of one of the contracts in fixtures/contracts. */
export interface ContractServer extends ServedApp {
  request: HttpClient['request'];
}

/** The handlers of a contract, or one for all of its operations. */
export type Handlers = Dependencies['handlers'] | Dependencies['handlers'][string];

/** Serves a contract. @param name a file in fixtures/contracts, or a URL. */
export async function serveContract(
  name: string | URL,
  handlers: Handlers,
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, ...others }: { docs?: boolean } & Partial<Omit<Dependencies, 'docs'>> = {},
): Promise<ContractServer> {
  const contract = await load(new URL(name, new URL('../fixtures/contracts/', import.meta.url)));
  const all =
    typeof handlers === 'function' ? Object.fromEntries(contract.operations.map(({ id }) => [id, handlers])) : handlers;
  const served = await serveApp({
    contract,
    ...(others.bodyLimits === undefined && { prepared: preparedOf(contract) }),
    handlers: all,
    verifiers,
    log: pino({ level: 'silent' }),
    docs: docs ? new Docs(contract) : undefined,
    ...others,
  });
  const client = new HttpClient(served.port);
  return {
    ...served,
    request: (...given) => client.request(...given),
    close: async () => {
      client.close();
      await served.close();
    },
  };
}

/** An answer with this code of the error table, for `toMatchObject`. */
export const error = (code: number): object => ({
  status: Math.floor(code / 100),
  text: expect.stringContaining(`{"error":${code},`),
});

const contracts = new Map<string, Promise<Contract>>();

function load(file: URL): Promise<Contract> {
  const contract = contracts.get(file.href) ?? loadContract(file);
  contracts.set(file.href, contract);
  return contract;
}

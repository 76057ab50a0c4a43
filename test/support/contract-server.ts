import { pino } from 'pino';
import type { Dependencies } from '../../src/app.ts';
import { loadContract, type Contract } from 'openapi-exact';
import { Docs } from '../../src/docs.ts';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { serveApp, type ServedApp } from './service.ts';

export type { Answer };

/** A server of a contract, as the plant store serves its own. */
export interface ContractServer extends ServedApp {
  request: HttpClient['request'];
}

/** The handlers of a contract, or one for all of its operations. */
export type Handlers = Dependencies['handlers'] | NonNullable<Dependencies['handlers'][string]>;

/** Serves a contract as the plant store does. */
export async function serveContract(
  file: URL,
  handlers: Handlers,
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, ...others }: { docs?: boolean } & Partial<Omit<Dependencies, 'docs'>> = {},
): Promise<ContractServer> {
  const contract = await load(file);
  const all =
    typeof handlers === 'function' ? Object.fromEntries(contract.operations.map(({ id }) => [id, handlers])) : handlers;
  const served = await serveApp({
    contract,
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

const contracts = new Map<string, Promise<Contract>>();

function load(file: URL): Promise<Contract> {
  const contract = contracts.get(file.href) ?? loadContract(file);
  contracts.set(file.href, contract);
  return contract;
}

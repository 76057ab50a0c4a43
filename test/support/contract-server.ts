import { pino } from 'pino';
import type { Dependencies } from '../../src/app.ts';
import { loadContract, type Contract } from '../../src/contract/document/load.ts';
import { prepareOperations } from '../../src/contract/prepare.ts';
import { Docs } from '../../src/docs/docs.ts';
import { HttpClient, type Answer } from './http-client.ts';
import { serveApp, type ServedApp } from './service.ts';

export type { Answer };

/** A server of one of the contracts in test/fixtures/contracts. */
export interface ContractServer extends ServedApp {
  request: HttpClient['request'];
}

/** The handlers of a contract, or one for all of its operations. */
export type Handlers = Dependencies['handlers'] | Dependencies['handlers'][string];

/**
 * Serves a further contract with small handlers.
 * @param name a file in test/fixtures/contracts, or the URL of one elsewhere.
 */
export async function serveContract(
  name: string | URL,
  handlers: Handlers,
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, ...others }: { docs?: boolean } & Partial<Omit<Dependencies, 'docs'>> = {},
): Promise<ContractServer> {
  const { contract, prepared } = await load(new URL(name, new URL('../fixtures/contracts/', import.meta.url)));
  const all =
    typeof handlers === 'function' ? Object.fromEntries(contract.operations.map(({ id }) => [id, handlers])) : handlers;
  const served = await serveApp({
    contract,
    ...(others.bodyLimits === undefined && { prepared }),
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

interface Loaded {
  readonly contract: Contract;
  readonly prepared: NonNullable<Dependencies['prepared']>;
}

const loaded = new Map<string, Promise<Loaded>>();

/** Loads and prepares each contract once. */
function load(file: URL): Promise<Loaded> {
  const found =
    loaded.get(file.href) ??
    loadContract(file).then((contract) => ({ contract, prepared: prepareOperations(contract) }));
  loaded.set(file.href, found);
  return found;
}

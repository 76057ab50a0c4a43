import { pino } from 'pino';
import type { Dependencies } from '../../src/app.ts';
import { loadContract } from '../../src/contract/document/load.ts';
import { Docs } from '../../src/docs/docs.ts';
import { HttpClient, type Answer } from './http-client.ts';
import { serveApp, type ServedApp } from './service.ts';

export type { Answer };

/** A server of one of the contracts in test/fixtures/contracts. */
export interface ContractServer extends ServedApp {
  request: HttpClient['request'];
}

/**
 * Serves a further contract with small handlers.
 * @param name a file in test/fixtures/contracts, or the URL of one elsewhere.
 */
export async function serveContract(
  name: string | URL,
  handlers: Dependencies['handlers'],
  verifiers: Dependencies['verifiers'] = {},
  { docs = false, ...others }: { docs?: boolean } & Partial<Omit<Dependencies, 'docs'>> = {},
): Promise<ContractServer> {
  const contract = await loadContract(new URL(name, new URL('../fixtures/contracts/', import.meta.url)));
  const served = await serveApp({
    contract,
    handlers,
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

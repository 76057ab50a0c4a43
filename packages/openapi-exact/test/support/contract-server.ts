import { expect } from '@jest/globals';
import type { Server } from 'node:http';
import type { Contract } from '../../src/document/read-contract.ts';
import { STATUSES, type Reason } from '../../src/errors/errors.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import type { MiddlewareOptions } from '../../src/server/options.ts';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import type { Listening } from 'test-support/listen.ts';
import { serveMiddleware } from './serve-middleware.ts';

export type { Answer };

/** A server of one of the contracts in fixtures/contracts. */
export interface ContractServer extends Listening {
  readonly server: Server;
  readonly request: HttpClient['request'];
}

/** The handlers of a contract, or one for all of its operations. */
export type Handlers = MiddlewareOptions['handlers'] | NonNullable<MiddlewareOptions['handlers'][string]>;

/** The verifiers of a contract. */
export type Verifiers = NonNullable<MiddlewareOptions['verifiers']>;

/** Serves a contract. @param name a file in fixtures/contracts, or a URL. */
export async function serveContract(
  name: string | URL,
  handlers: Handlers,
  verifiers: Verifiers = {},
  options: Partial<MiddlewareOptions> = {},
): Promise<ContractServer> {
  const contract = await load(new URL(name, new URL('../fixtures/contracts/', import.meta.url)));
  const all =
    typeof handlers === 'function' ? Object.fromEntries(contract.operations.map(({ id }) => [id, handlers])) : handlers;
  const served = await serveMiddleware({ contract, handlers: all, verifiers, ...options });
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

/** A failure with this reason, for `toMatchObject`. */
export const refused = (reason: Reason): object => ({
  status: STATUSES[reason],
  text: expect.stringContaining(`{"reason":"${reason}",`),
});

const contracts = new Map<string, Promise<Contract>>();

function load(file: URL): Promise<Contract> {
  const contract = contracts.get(file.href) ?? loadContract(file);
  contracts.set(file.href, contract);
  return contract;
}

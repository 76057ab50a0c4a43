import { documentText, withFiles } from 'test-support/contract-files.ts';
import type { MiddlewareOptions } from '../../src/server/options.ts';
import { serveContract, type ContractServer, type Handlers, type Verifiers } from './contract-server.ts';

/** Serves a contract that a test makes as an object, as {@link documentText} completes it. */
export function serveDocument(
  document: object,
  handlers: Handlers,
  verifiers: Verifiers = {},
  options: Partial<MiddlewareOptions> = {},
): Promise<ContractServer> {
  return withFiles({ 'openapi.yaml': documentText(document) }, (contract) =>
    serveContract(contract, handlers, verifiers, options),
  );
}

/** Serves a contract that a test writes, for the time of a function. */
export async function withContract<T>(
  files: Readonly<Record<string, string>>,
  handlers: Handlers,
  use: (server: ContractServer) => Promise<T>,
): Promise<T> {
  return withFiles(files, async (contract) => {
    const server = await serveContract(contract, handlers);
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  });
}

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { operations } from '../../generated/openapi.d.ts';
import { createApp } from '../../src/app.ts';
import { bearerVerifier } from '../../src/auth/bearer.ts';
import { tokenVerifier } from '../../src/auth/verify-token.ts';
import type { Handlers } from '../../src/contract/types.ts';
import { createServer } from '../../src/server.ts';
import { contract, handlersOf, type Service } from './service.ts';

/** Serves a service's stores once more, with some other handlers; its `close` ends this server only. */
export async function withHandlers(
  service: Service,
  others: Partial<Handlers<operations>>,
  log: Logger,
): Promise<Service> {
  const handlers = { ...handlersOf(service.stores), ...others };
  const onUseNotNoted = (error: unknown): void => {
    log.warn({ err: error }, 'last use not noted');
  };
  const verifyToken = tokenVerifier(service.stores.tokens, onUseNotNoted, () => undefined);
  const app = await createApp({ contract, handlers, verifiers: { bearerAuth: bearerVerifier(verifyToken) }, log });
  const server = createServer(app, log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    ...service,
    server,
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

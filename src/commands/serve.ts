import { Command } from 'commander';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createApp } from '../app.ts';
import { bearerVerifier } from '../auth/bearer.ts';
import { tokenVerifier } from '../auth/verify-token.ts';
import type { Config } from '../config.ts';
import { loadContract } from '../contract/load.ts';
import { OperatorError } from '../errors.ts';
import { createLog } from '../log.ts';
import { plantHandlers } from '../plants/handlers.ts';
import { createServer } from '../server.ts';
import { batchDeletes } from '../stores/batcher.ts';
import { openStores } from '../stores/open.ts';
import { firstRun, welcome } from './first-run.ts';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

/** `plant-store serve`: answers the operations of the contract until it is told to stop. */
export function serveCommand(config: () => Config): Command {
  return new Command('serve')
    .description('Serve the operations of the contract (the default command).')
    .addHelpText('after', '\nExample:\n  $ PORT=8080 plant-store serve')
    .action(() => serve(config()));
}

async function serve(config: Config): Promise<void> {
  const log = createLog(config);
  const contract = await loadContract(CONTRACT);
  const sample = firstRun();
  const stores = openStores(config, config.production ? undefined : sample);
  try {
    const verifyToken = tokenVerifier(stores.tokens, (err: unknown) => {
      log.warn({ err }, 'the last use of a token could not be noted');
    });
    const app = createApp({
      contract,
      handlers: plantHandlers(batchDeletes((ids) => stores.plants.deletePlants(ids))),
      verifiers: { bearerAuth: bearerVerifier(verifyToken) },
      log,
    });
    const server = createServer(app, log);
    await listen(server, config);
    const url = urlOf(server, config.host);
    log.info({ url, database: config.databaseFile }, 'listening');
    if (!config.production) console.log(stores.created ? welcome(url, sample.token) : `The plant store is at ${url}`);
    if ((await stores.tokens.listTokens()).length === 0) {
      log.warn('There is no token yet, so every request is refused. Make one: plant-store tokens create <name>');
    }
    stopOnSignal(server, () => {
      stores.close();
    });
  } catch (error) {
    stores.close();
    throw error;
  }
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const reason =
      code === 'EADDRINUSE'
        ? 'another process listens there. Stop it, or choose another PORT.'
        : `${cause instanceof Error ? cause.message : String(cause)}. Choose another HOST or PORT.`;
    throw new OperatorError(`Cannot listen on ${host}:${port}: ${reason}`, { cause });
  }
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  // A server that listens on every address is reached at the loopback one.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The first SIGINT or SIGTERM lets the requests at work finish; then the process has nothing left to do and ends. */
function stopOnSignal(server: Server, close: () => void): void {
  const stop = (): void => {
    server.close(close);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

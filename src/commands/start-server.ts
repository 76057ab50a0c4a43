import { once } from 'node:events';
import type { Server } from 'node:http';
import { constants } from 'node:os';
import { createServer as createSocket, type AddressInfo, type Server as Socket } from 'node:net';
import type { Logger } from 'pino';
import { createApp, type Dependencies } from '../app.ts';
import { bearerVerifier } from '../auth/bearer.ts';
import { tokenVerifier } from '../auth/verify-token.ts';
import type { Config } from '../config.ts';
import { loadContract, type Contract } from '../contract/load.ts';
import { codeOf, messageOf, OperatorError } from '../errors.ts';
import { createLog } from '../log.ts';
import { plantHandlers } from '../plants/handlers.ts';
import { createServer } from '../server.ts';
import { batchDeletes } from '../stores/batcher.ts';
import { openStores, type Stores } from '../stores/open.ts';
import { firstRun, welcome } from './first-run.ts';

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);
/** How long the requests at work may take once the process was told to stop, in milliseconds. */
const STOP_TIMEOUT = 5_000;
/** A signal that comes so soon after the first is the same one, in milliseconds. */
const REPEATED_SIGNAL = 1_000;

/** Serves the operations of the contract until the process is told to stop. */
export async function startServer(config: Config): Promise<void> {
  const log = await createLog(config);
  const contract = await loadContract(CONTRACT);
  // The token of a first start is shown once: a start that cannot listen must end before it makes the database.
  const rehearsal = await listen(createSocket(), config);
  rehearsal.close();
  const sample = firstRun();
  const stores = openStores(config, config.production ? undefined : sample);
  try {
    const server = createServer(await createApp(dependencies(contract, stores, log)), log);
    const url = urlOf(await listen(server, config), config.host);
    const stop = stopper(server, stores);
    stopOnSignal(stop);
    void stores.failed.then((err) => {
      // Whatever was answered is true; a new process finds out what the file holds.
      log.fatal({ err }, 'the store can no longer be written: the service ends');
      process.exitCode = 1;
      stop();
    });
    log.info({ url, database: config.databaseFile }, 'listening');
    if (!config.production) console.log(stores.created ? welcome(url, sample.token) : `The plant store is at ${url}`);
    if (config.production && stores.created) log.warn({ database: config.databaseFile }, 'an empty database was made');
    if ((await stores.tokens.listTokens()).length === 0) {
      log.warn('There is no token yet, so every request is refused. Make one: plant-store tokens create <name>');
    }
  } catch (error) {
    stores.close();
    throw error;
  }
}

function dependencies(contract: Contract, { plants, tokens }: Stores, log: Logger): Dependencies {
  const verifyToken = tokenVerifier(tokens, (err: unknown) => {
    log.warn({ err }, 'the last use of a token could not be noted');
  });
  return {
    contract,
    handlers: plantHandlers({ deletePlant: batchDeletes((ids) => plants.deletePlants(ids)), plants }),
    verifiers: { bearerAuth: bearerVerifier(verifyToken) },
    log,
  };
}

async function listen(socket: Socket, { host, port }: Config): Promise<Socket> {
  socket.listen(port, host);
  try {
    await once(socket, 'listening');
    return socket;
  } catch (cause) {
    const code = codeOf(cause);
    const reason =
      code === 'EADDRINUSE'
        ? 'another process listens there. Stop it, or choose another PORT.'
        : `${messageOf(cause)}. Choose another HOST or PORT.`;
    throw new OperatorError(`Cannot listen on ${host}:${port}: ${reason}`, { cause });
  }
}

function urlOf(server: Socket, host: string): string {
  // A server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  // A server that listens on every address is reached at the loopback one.
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Lets the requests at work finish and refuses new ones; then the process has nothing left to do and ends. */
function stopper(server: Server, stores: Stores): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    // Node closes connections that wait for their next request, but neither busy ones afterwards nor those never used.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    server.close(() => {
      stores.close();
    });
    setTimeout(() => {
      server.closeAllConnections();
    }, STOP_TIMEOUT).unref();
  };
}

/** SIGINT or SIGTERM stops the process in order; one that comes a second later or more ends it now. */
function stopOnSignal(stop: () => void): void {
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= performance.now();
    // npm and timeout(1) send each signal twice at once.
    if (performance.now() - first < REPEATED_SIGNAL) stop();
    else process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

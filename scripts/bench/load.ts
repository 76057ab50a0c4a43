import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pin } from './pin.ts';
import type { ServerProcess } from './server-process.ts';

/** The requests of a load. In `path` and `contentType`, %d is a number that goes on from request to request. */
export interface Load {
  readonly connections: number;
  readonly seconds: number;
  readonly path?: string;
  /** false: no Authorization; a text: this token; otherwise the valid one. */
  readonly token?: string | false;
  readonly contentType?: string;
  readonly first?: number;
  readonly step?: number;
  readonly modulus?: number;
}

/** What came of a load; times in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Answers with a status from 400 on. */
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
  /** How busy the server was, from 0 to 1: clearly below 1 at a high rate, the load or the disk was the limit. */
  readonly serverBusy: number;
}

const NO_MODULUS = 1e15;
const LUA = fileURLToPath(new URL('loads/deletes.lua', import.meta.url));
const AUTOCANNON = fileURLToPath(new URL('loads/autocannon.mjs', import.meta.url));

/** The load generator: wrk where it is installed, which is several times faster, or autocannon. */
export const GENERATOR = (process.env['PATH'] ?? '').split(delimiter).some(hasWrk) ? 'wrk' : 'autocannon';

function hasWrk(folder: string): boolean {
  try {
    accessSync(join(folder, 'wrk'), constants.X_OK);
    return process.env['BENCH_LOAD'] !== 'autocannon';
  } catch {
    return false;
  }
}

/** Sends requests from another process. @throws Error when a connection failed. */
export async function sendLoad(server: ServerProcess, load: Load): Promise<LoadResult> {
  const { port } = server;
  const {
    connections,
    seconds,
    path = '/plants/%d',
    contentType = '-',
    first = 1,
    step = 1,
    modulus = NO_MODULUS,
  } = load;
  const token = load.token === false ? '-' : (load.token ?? server.token);
  const requests = [path, token, contentType, String(first), String(step), String(modulus)];
  const duration = String(Math.max(1, Math.round(seconds)));
  const [command, args] =
    GENERATOR === 'wrk'
      ? pin('load', 'wrk', [
          '-t1',
          `-c${connections}`,
          `-d${duration}s`,
          // Its own 2 s end a whole run when a shared machine pauses.
          '--timeout',
          '10s',
          '-s',
          LUA,
          `http://127.0.0.1:${port}`,
          '--',
          ...requests,
        ])
      : pin('load', process.execPath, [AUTOCANNON, String(port), String(connections), duration, ...requests]);
  const busyBefore = await server.processorTime();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  const busy = (await server.processorTime()) - busyBefore;
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`${GENERATOR} has failed:\n${text}`);
  // Both generators of loads/ print this line.
  const result = JSON.parse(line) as Record<'requests' | 'seconds' | 'refused' | 'broken' | 'p50' | 'p99', number>;
  if (result.broken > 0) throw new Error(`${result.broken} connections broke or timed out.`);
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    refused: result.refused,
    p50: result.p50,
    p99: result.p99,
    serverBusy: busy / result.seconds,
  };
}

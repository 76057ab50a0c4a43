import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pin } from './machine.ts';

/** DELETE requests; in `path`, %d is a number that goes on from request to request. */
export interface Load {
  readonly path?: string;
  /** false: no Authorization; a text: this token; by default the valid one. */
  readonly token?: string | false;
  readonly step?: number;
  readonly modulus?: number;
  /** Requests are to be refused; by default each is to be answered 204. */
  readonly refused?: true;
}

/** What came of a load: the line of JSON that both generators print. */
interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Responses with a status from 400. */
  readonly refused: number;
  /** Connections that failed or timed out. */
  readonly broken: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const CONNECTIONS = 64;
const LUA = fileURLToPath(new URL('deletes.lua', import.meta.url));
const AUTOCANNON = fileURLToPath(new URL('autocannon.mjs', import.meta.url));

/** wrk where it is installed, or autocannon, which is several times slower. */
export const GENERATOR = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/**
 * Sends requests from a process of its own.
 * @param first the number of the first request.
 * @throws Error when a connection failed.
 */
export async function sendLoad(
  { port, token }: { readonly port: number; readonly token: string },
  load: Load,
  first: number,
  seconds: number,
): Promise<LoadResult> {
  const { path = '/plants/%d', step = 1, modulus = 1e15 } = load;
  const presented = load.token === false ? '-' : (load.token ?? token);
  const requests = [path, presented, String(first), String(step), String(modulus)];
  const wrk = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s', '-s', LUA, `http://127.0.0.1:${port}`];
  const [command, args] =
    GENERATOR === 'wrk'
      ? pin('load', 'wrk', [...wrk, '--', ...requests])
      : pin('load', process.execPath, [AUTOCANNON, String(port), String(CONNECTIONS), String(seconds), ...requests]);
  const { stdout } = await promisify(execFile)(command, args);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`${GENERATOR} has failed: ${stdout}`);
  // deletes.lua and autocannon.mjs write it.
  const result = JSON.parse(line) as LoadResult;
  if (result.broken > 0) throw new Error(`${result.broken} connections failed or timed out.`);
  return result;
}

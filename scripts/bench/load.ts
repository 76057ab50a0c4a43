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

/** A request that is sent again and again. Its response must be a success. */
export interface RepeatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came of a load: the line of JSON that both generators print. */
export interface LoadResult {
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
const LUA = fileURLToPath(new URL('requests.lua', import.meta.url));
const AUTOCANNON = fileURLToPath(new URL('autocannon.mjs', import.meta.url));

/** wrk where it is installed, or autocannon, which is several times slower. */
export const GENERATOR = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon';

/**
 * Sends DELETE requests from a process of its own.
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
  return generate(port, seconds, [path, presented, String(first), String(step), String(modulus)]);
}

/**
 * Sends one request again and again from a process of its own.
 * @throws Error when a connection failed or a request was refused.
 */
export async function sendRepeated(port: number, request: RepeatedRequest, seconds: number): Promise<LoadResult> {
  const input = GENERATOR === 'wrk' ? requestText(request) : JSON.stringify(request);
  const result = await generate(port, seconds, [], input);
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} requests were refused.`);
  return result;
}

/** The request as HTTP/1.1 carries it. */
function requestText({ method, path, headers, body = '' }: RepeatedRequest): string {
  const all = { Host: '127.0.0.1', ...headers, ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }) };
  const lines = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Runs the load generator. @param input what it reads from standard input. */
async function generate(port: number, seconds: number, requests: readonly string[], input = ''): Promise<LoadResult> {
  const wrk = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '30s', '-s', LUA, `http://127.0.0.1:${port}`];
  const [command, args] =
    GENERATOR === 'wrk'
      ? pin('load', 'wrk', [...wrk, '--', ...requests])
      : pin('load', process.execPath, [AUTOCANNON, String(port), String(CONNECTIONS), String(seconds), ...requests]);
  const running = promisify(execFile)(command, args);
  running.child.stdin?.end(input);
  const { stdout } = await running;
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`${GENERATOR} has failed: ${stdout}`);
  // requests.lua and autocannon.mjs write it.
  const result = JSON.parse(line) as LoadResult;
  if (result.broken > 0) throw new Error(`${result.broken} connections failed or timed out.`);
  return result;
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { StockedServer } from './stocked-server.ts';

/** What load-generator.ts is told: requests of some clients for a time. */
export interface Load {
  readonly port: number;
  readonly token: string;
  readonly clients: number;
  /** Requests of each of them that wait for an answer. */
  readonly inFlight: number;
  readonly seconds: number;
  /** The first plant that is deleted. */
  readonly first: string;
  /** Where the answers go: a 16-bit number for each request. */
  readonly answersFile: string;
}

/** What load-generator.ts has measured. */
export interface LoadResult {
  /** Requests that were answered 204 or 404 a second, when it had begun to be steady. */
  readonly goodput: number;
  /** The longest that an answer took, in milliseconds. */
  readonly longest: number;
  /** Answers 503 that do not say when to come again. */
  readonly withoutRetryAfter: number;
}

/** The plant that a request deletes, counted from the first: 0 0 1 2 3 3 4 5 6 6 and so on. */
export function plantOf(request: number): bigint {
  return BigInt(Math.floor((request * 3) / 4));
}

/**
 * Puts a server under load and notes each answer.
 * @param skip the number of plants, from the first, that were deleted before.
 * @returns what was measured, and how many plants were used.
 */
export async function putUnderLoad(
  { place, plants, server }: StockedServer,
  skip: bigint,
  requests: Pick<Load, 'clients' | 'inFlight' | 'seconds'>,
): Promise<LoadResult & { readonly used: bigint }> {
  const first = (plants.ids[0] ?? 0n) + skip;
  const answersFile = join(place.folder, `answers-${skip}`);
  const port = Number(new URL(server.url).port);
  const load: Load = { ...requests, port, token: plants.token, first: String(first), answersFile };
  const program = fileURLToPath(new URL('load-generator.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, JSON.stringify(load)]);
  const bytes = await readFile(answersFile);
  const answers = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  answers.forEach((answer, request) => {
    plants.ledger.note(first + plantOf(request), answer);
  });
  // As it writes them.
  return { ...(JSON.parse(stdout) as LoadResult), used: plantOf(answers.length) + 1n };
}

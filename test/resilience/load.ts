import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ServerProcess, Workplace } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** Requests of some clients for a time. */
export interface Phase {
  readonly clients: number;
  /** Requests of each of them that wait for an answer. */
  readonly inFlight: number;
  readonly seconds: number;
}

/** What load-generator.ts is told. */
export interface Load {
  readonly port: number;
  readonly token: string;
  /** One begins when the one before was answered, or 30 s later. Clients stay connected. */
  readonly phases: readonly Phase[];
  /** The first plant that is deleted. */
  readonly first: string;
  /** Where the answers go: a 16-bit number for each request. */
  readonly answersFile: string;
}

/** What load-generator.ts has measured in a phase. */
export interface PhaseResult {
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
 * @returns the results of the phases, and how many plants were used.
 */
export async function putUnderLoad(
  place: Workplace,
  plants: Stock,
  server: ServerProcess,
  skip: bigint,
  phases: readonly Phase[],
): Promise<{ readonly results: readonly PhaseResult[]; readonly used: bigint }> {
  const first = (plants.ids[0] ?? 0n) + skip;
  const answersFile = join(place.folder, `answers-${skip}`);
  const port = Number(new URL(server.url).port);
  const load: Load = { phases, port, token: plants.token, first: String(first), answersFile };
  const program = fileURLToPath(new URL('load-generator.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, JSON.stringify(load)]);
  const bytes = await readFile(answersFile);
  const answers = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  answers.forEach((answer, request) => {
    plants.ledger.note(first + plantOf(request), answer);
  });
  // As it writes them.
  return { results: JSON.parse(stdout) as PhaseResult[], used: plantOf(answers.length) + 1n };
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Logger } from 'pino';
import type { TokenStore } from '../auth/tokens/token-store.ts';
import { createToken, hashToken } from '../auth/tokens/token.ts';
import { messageOf } from '../errors.ts';
import type { DatabaseLocation } from '../stores/database-url.ts';
import type { Sample } from '../stores/sample.ts';
import { shellWord } from '../shell-word.ts';

/**
 * A dozen plants: 12, the contract's example, and two whose ids a JavaScript number cannot hold.
 */
const SAMPLE_PLANTS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 12n, 9007199254740993n, 9223372036854775807n];

/** What a new store holds when nobody asked for anything else, and the token that opens it. */
export function firstRun(): Sample & { readonly token: string } {
  const token = createToken();
  return { plants: SAMPLE_PLANTS, tokenName: 'first-run', tokenHash: hashToken(token), token };
}

/** How the user of a new store gets its token. */
export interface FirstToken {
  /** The header of a request with the token, as one word of a shell. */
  readonly header: string;
  /** Where the token is, for the user to read. */
  readonly place: string;
}

/** The token itself, for a terminal. */
export function shownToken(token: string): FirstToken {
  return { header: `'Authorization: Bearer ${token}'`, place: 'shown only now' };
}

/**
 * Writes the token to a new file `first-token`, mode 0600, beside the database file, for PostgreSQL in `data`: what standard
 * output leads to may be kept and read by others. The token is removed from the store if that fails.
 * @returns undefined when the file exists or cannot be written, which is logged.
 */
export async function writtenToken(
  { token, tokenHash }: ReturnType<typeof firstRun>,
  database: DatabaseLocation,
  tokens: TokenStore,
  log: Logger,
): Promise<FirstToken | undefined> {
  const file = join(database.kind === 'sqlite' ? dirname(database.file) : join(process.cwd(), 'data'), 'first-token');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${token}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await tokens.removeToken(tokenHash);
    log.warn({ reason: messageOf(error), file }, 'the first token could not be written to a new file, and was removed');
    return undefined;
  }
  log.info({ file }, 'the first token was written to a file');
  const path = relative(process.cwd(), file);
  const name = shellWord(/^\w/.test(path) ? path : file);
  return { header: `"Authorization: Bearer $(cat ${name})"`, place: `which is in ${name}` };
}

/** What every later start prints: where the service is, and how to make a token for it. */
export function reminder(url: string, docs: boolean): string {
  return [
    `The plant store is at ${url}`,
    ...(docs ? [`Try it in a browser: ${url}/docs`] : []),
    'Make a token: npx plant-store tokens create <name>',
  ].join('\n');
}

/** What a newcomer sees: where the service is, one command to paste that deletes a plant, and where to try it in a browser. */
export function welcome(url: string, { header, place }: FirstToken, docs: boolean): string {
  const edge = '─'.repeat(72);
  // No frame at the sides: the command can be selected as it is.
  return [
    edge,
    `The plant store is at ${url}`,
    '',
    `A new database was made, with a dozen plants and one token, ${place}.`,
    'Paste this to delete a plant (204), and once more to see that it is gone (404):',
    '',
    `curl -i -X DELETE -H ${header} ${shellWord(`${url}/plants/9007199254740993`)}`,
    ...(docs ? ['', `Or try it in a browser, with that token: ${url}/docs`] : []),
    edge,
  ].join('\n');
}

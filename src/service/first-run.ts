import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Logger } from 'pino';
import type { TokenStore } from '../auth/tokens/token-store.ts';
import { createToken, hashToken } from '../auth/tokens/token.ts';
import { messageOf } from '../errors.ts';
import type { DatabaseLocation } from '../stores/database-url.ts';
import type { Sample } from '../stores/stores.ts';
import { shellWord } from '../shell-word.ts';

/** A dozen plants: 12, the contract's example, and two ids that a JavaScript number cannot hold. */
const SAMPLE_PLANTS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 12n, 9007199254740993n, 9223372036854775807n];

/** The sample plants of a new store, and a token for them. */
export function firstRun(): Sample & { readonly token: string } {
  const token = createToken();
  return { plants: SAMPLE_PLANTS, tokenName: 'first-run', tokenHash: hashToken(token), token };
}

/** How the first token is shown to the user. */
export interface FirstToken {
  /** The Authorization header with the token, as one shell word. */
  readonly header: string;
  /** The sentence that says where the token is. */
  readonly place: string;
}

/** Shows the token itself, for a terminal. */
export function shownToken(token: string): FirstToken {
  return { header: `'Authorization: Bearer ${token}'`, place: 'shown only now' };
}

/**
 * Writes the token to a new file `first-token`, mode 0600, beside the SQLite file or in `data`,
 * since standard output may be stored or read by others. Removes the token from the store on
 * failure.
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
    log.warn({ reason: messageOf(error), file }, 'first token not written to a new file, and removed');
    return undefined;
  }
  log.info({ file }, 'first token written to a file');
  const path = relative(process.cwd(), file);
  const name = shellWord(/^\w/.test(path) ? path : file);
  return { header: `"Authorization: Bearer $(cat ${name})"`, place: `which is in ${name}` };
}

/** The banner of every later start: the URL, and how to create a token. */
export function reminder(url: string, docs: boolean): string {
  return [
    `The plant store is at ${url}`,
    ...(docs ? [`Try it in a browser: ${url}/docs`] : []),
    'Make a token: npx plant-store tokens create <name>',
  ].join('\n');
}

/** The banner of a first start: the URL, a command that deletes a plant, and the API reference. */
export function welcome(url: string, { header, place }: FirstToken, docs: boolean): string {
  const edge = '─'.repeat(72);
  // Without a frame at the sides, so that the command can be selected.
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

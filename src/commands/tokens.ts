import { Command, InvalidArgumentError } from 'commander';
import { createToken, hashToken } from '../auth/tokens/token.ts';
import type { TokenRecord } from '../auth/tokens/token-store.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { openExistingStores, openStores } from '../stores/open.ts';
import { loadConfig } from './load-config.ts';
import { adviseOn } from './misnamed.ts';
import { print } from './print.ts';
import { withStores } from './with-stores.ts';

/** Milliseconds per second, minute, hour, day and week. */
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** The latest time of a Date, in milliseconds; the earliest is its negative. */
const LAST_MOMENT = 8_640_000_000_000_000;

const REPLACING = `Replace a token without a gap; both are valid until the first is revoked:
  $ plant-store tokens create webshop-2
  $ plant-store tokens list
  $ plant-store tokens revoke webshop`;

/** `plant-store tokens`: creates, lists and revokes access tokens. */
export function tokensCommand(): Command {
  const tokens = new Command('tokens')
    .description('Create, list and revoke access tokens.')
    .addHelpText('after', `\nExample:\n  $ plant-store tokens create webshop\n\n${REPLACING}`);
  adviseOn(
    tokens,
    ['rotate', 'replace', 'renew', 'refresh'],
    'Replace a token by two commands: see plant-store tokens --help.',
  );
  adviseOn(tokens, ['delete', 'remove', 'rm'], 'Did you mean revoke?');
  adviseOn(tokens, ['add', 'new'], 'Did you mean create?');
  tokens
    .command('create')
    .description(
      'Create a token and print it, alone, on standard output. It is shown only once, and deleted if that fails.',
    )
    .argument('<name>', 'its name in logs: letters, digits and ._@-', parseName)
    .option(
      '--expires-in <duration>',
      'how long it is valid, such as 12h, 90d or 52w; for ever by default',
      parseDuration,
    )
    .addHelpText('after', '\nExample:\n  $ TOKEN=$(plant-store tokens create webshop --expires-in 90d)')
    .action((name: string, { expiresIn }: { expiresIn?: number }) => create(loadConfig(), name, expiresIn));
  tokens
    .command('list')
    .description('List all tokens by name; the tokens themselves are not kept.')
    .option('--json', 'as JSON, with times in RFC 3339; later than any date is +275760-09-13')
    .addHelpText('after', '\nExample:\n  $ plant-store tokens list --json')
    .action(({ json }: { json?: true }) => listTokens(loadConfig(), json === true));
  tokens
    .command('revoke')
    .description('Revoke a token: no server accepts it any more after 5 seconds.')
    .argument('<name>', 'the name it was created with')
    .addHelpText('after', '\nExample:\n  $ plant-store tokens revoke webshop')
    .action((name: string) => revoke(loadConfig(), name));
  return tokens;
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 1 to 64 letters, digits or ._@- and begin with a letter or digit.');
}

function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,8})([smhdw])$/.exec(text) ?? [];
  const duration = Number(count) * (UNITS[unit] ?? 0);
  if (duration > 0 && Date.now() + duration <= LAST_MOMENT) return duration;
  throw new InvalidArgumentError('It must be a number and one of s, m, h, d or w, such as 12h, 90d or 52w.');
}

async function create({ database }: Config, name: string, expiresIn?: number): Promise<void> {
  const token = createToken();
  const hash = hashToken(token);
  const now = Date.now();
  const expiresAt = expiresIn === undefined ? null : now + expiresIn;
  await withStores(database, openStores, async ({ tokens }) => {
    if (!(await tokens.createToken({ name, hash, createdAt: now, expiresAt }))) {
      throw new OperatorError(
        `There is a token named ${name} already, perhaps a revoked one: choose another name, such as ${name}-2.`,
      );
    }
    try {
      await print(`${token}\n`);
    } catch (error) {
      await tokens.removeToken(hash);
      throw error;
    }
  });
}

async function listTokens({ database }: Config, json: boolean): Promise<void> {
  const rows = (await withStores(database, openExistingStores, ({ tokens }) => tokens.listTokens())).map(tokenRow);
  await print(`${json ? JSON.stringify(rows, null, 2) : table(rows)}\n`);
}

async function revoke({ database }: Config, name: string): Promise<void> {
  await withStores(database, openExistingStores, async ({ tokens }) => {
    const before = (await tokens.listTokens()).find((token) => token.name === name);
    if (!(await tokens.revokeToken(name, Date.now()))) {
      throw new OperatorError(`There is no token named ${name}: see plant-store tokens list.`);
    }
    const revokedAt = before?.revokedAt ?? null;
    await print(
      revokedAt === null
        ? `The token ${name} is revoked. No server accepts it any more after 5 seconds.\n`
        : `The token ${name} was revoked already, at ${timeOf(revokedAt)}.\n`,
    );
  });
}

function tokenRow({ name, createdAt, expiresAt, revokedAt, lastUsedAt }: TokenRecord): Record<string, string | null> {
  const time = (milliseconds: number | null): string | null => (milliseconds === null ? null : timeOf(milliseconds));
  return {
    name,
    created: timeOf(createdAt),
    expires: time(expiresAt),
    revoked: time(revokedAt),
    lastUsed: time(lastUsedAt),
  };
}

/** A time in RFC 3339. Clamps times of other programs to the range of Date. */
function timeOf(milliseconds: number): string {
  return new Date(Math.max(-LAST_MOMENT, Math.min(milliseconds, LAST_MOMENT))).toISOString();
}

function table(rows: readonly ReturnType<typeof tokenRow>[]): string {
  const cells = rows.map((row) => Object.values(row).map((cell) => cell ?? '-'));
  const lines = [['NAME', 'CREATED', 'EXPIRES', 'REVOKED', 'LAST USED'], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return padded.map((line) => line.trimEnd()).join('\n');
}

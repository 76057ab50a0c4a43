#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { migrateCommand } from './commands/migrate.ts';
import { plantsCommand } from './commands/plants.ts';
import { printWhileRead } from './commands/print.ts';
import { serveCommand } from './commands/serve.ts';
import { tokensCommand } from './commands/tokens.ts';
import { readConfig, type Config } from './config.ts';
import { codeOf, messageOf, OperatorError, StoreError } from './errors.ts';
import { printable } from './printable.ts';

/** Reads `.env`, where the variables of the environment win, and then the settings. */
function config(): Config {
  if (isReadable('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/**
 * Whether a file is there. Node 20's loadEnvFile says of one that may not be read that it is not there, so it is read here first.
 * @throws OperatorError with the true reason why it cannot be read.
 */
function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false;
    throw new OperatorError(
      `The file ${file} cannot be read: ${messageOf(cause)}. Make it a file that this user may read, or remove it.`,
      { cause },
    );
  }
}

// Every package.json that npm packs has a version.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('plant-store')
  .description('A plant store that is served from its contract, openapi.yaml.')
  .addHelpText(
    'after',
    `
Environment, also read from .env:
  HOST           address to listen on (127.0.0.1)
  PORT           port to listen on (3000)
  DATABASE_URL   where the plants and tokens are: sqlite:<file> or postgres://… (sqlite:data/plants.db)
  DATABASE_POOL  connections to PostgreSQL for deletes; two more are for the rest (5)
  LOG_LEVEL      fatal, error, warn, info, debug, trace or silent (info)
  AUDIT_LOG      on or off: a line for each change (on at LOG_LEVEL info, debug and trace)
  NODE_ENV       production: no sample plants, no token, JSON logs only
  DOCS           on or off: the API reference at /docs, and /openapi.yaml and .json (on, in production off)
  ADMIN_HOST     address for operators: /livez, /readyz and /metrics (127.0.0.1)
  ADMIN_PORT     its port (9464)
  ADMIN_HOSTS    names that its Host header may have beside addresses and localhost (none)
  TRUST_PROXY    proxies whose X-Forwarded-For is believed: how many, or their addresses (0)
  CONNECTIONS_PER_CLIENT      connections from one address, or IPv6 /64, 0: any number (1000)
  AUTH_FAILURES_PER_MINUTE    failed authentications from one address, 0: any number (100)
  TOKEN_REQUESTS_PER_MINUTE   requests with one token, 0: any number (0)
  AUTH_ISSUER                 identity provider whose JWT access tokens are accepted (none)
  AUTH_AUDIENCE               what its tokens call this service; needed with AUTH_ISSUER
  AUTH_REQUIRED_SCOPE         scopes that its tokens must have, with spaces between them (none)
  AUTH_JWKS_URL               where its keys are (discovered from AUTH_ISSUER)
  AUTH_ALGORITHMS             signatures that are accepted (RS256,PS256,ES256,EdDSA,Ed25519)
  SHUTDOWN_TIMEOUT            seconds that it may take to stop (8)

Example:
  $ plant-store serve`,
  )
  .version(version)
  .exitOverride()
  .addCommand(serveCommand(config))
  .addCommand(migrateCommand(config))
  .addCommand(tokensCommand(config))
  .addCommand(plantsCommand(config));

let help = '';
// Commander passes none of these on to commands that were built apart.
for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
  command
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeOut: (text) => (help += text) });
}

// Each write is told of its own failure, and this event comes besides.
process.stdout.on('error', () => undefined);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof StoreError)) throw error;
  // One line, also where the message repeats what stands in a file.
  console.error(printable(error.message.replaceAll(/\s*\n\s*/g, ' ')));
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  try {
    // To commander's own default command, a mistyped name would be an argument too many.
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed what was wrong; its own exit code for wrong usage is 1.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    await printWhileRead(help);
  }
}

#!/usr/bin/env node
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { loadConfig } from './commands/load-config.ts';
import { migrateCommand } from './commands/migrate.ts';
import { plantsCommand } from './commands/plants.ts';
import { reportError } from './commands/report-error.ts';
import { serveCommand } from './commands/serve.ts';
import { settingsHelp } from './commands/settings-help.ts';
import { tokensCommand } from './commands/tokens.ts';

// Every package.json that npm packs has a version.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('plant-store')
  .description('A plant store that is served from its contract, openapi.yaml.')
  .addHelpText('after', () => `\n${settingsHelp()}\n\nExample:\n  $ plant-store serve`)
  .version(version)
  .addCommand(serveCommand(loadConfig))
  .addCommand(migrateCommand(loadConfig))
  .addCommand(tokensCommand(loadConfig))
  .addCommand(plantsCommand(loadConfig));

// Commander passes neither on to commands that were built apart.
for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
  command.exitOverride().helpCommand(false);
}

// A reader that closes early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Node 22.8 and later keeps compiled code in its temporary folder. The types are those of Node 20.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void };
enableCompileCache?.();

const args = process.argv.slice(2);
try {
  // To commander's own default command, a mistyped name would be an argument too many.
  await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
} catch (error) {
  process.exitCode = reportError(error);
}

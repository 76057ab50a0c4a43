#!/usr/bin/env node
import { messageOf } from 'openapi-exact/contract';
import { Command, InvalidArgumentError } from 'commander';
import { createRequire } from 'node:module';
import type { CheckOptions } from './commands/check.ts';
import type { GenerateOptions } from './commands/generate.ts';

// Safe: npm has checked its form.
const { version: VERSION } = createRequire(import.meta.url)('../package.json') as { version: string };

const FORMAT_HELP =
  'the type of the values of a format, such as date-time=Date or decimal=Decimal:decimal.js; iban alone names its places';
const NO_FORMATS: readonly string[] = [];

const program = new Command('openapi-exact')
  .description('Types, tables and checks for an OpenAPI 3.0, 3.1 or 3.2 contract.')
  .version(VERSION)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

program
  .command('generate')
  .description('Writes openapi.d.ts, the types of a contract, and shapes.ts, the table for its clients.')
  .argument('<contract>', 'the contract, a YAML or JSON file')
  .requiredOption('--out <folder>', 'the folder for the files')
  .option('--check', 'write nothing, and fail when a file is stale', false)
  .option('--format <format>', FORMAT_HELP, (format, formats) => [...formats, format], NO_FORMATS)
  .option('--watch', 'write the files again after every edit of the contract', false)
  .action(async (contract: string, { watch: isWatching, format, ...options }: CommandOptions) => {
    // Each command loads what it needs: the generator brings the compiler.
    const { generate } = await import('./commands/generate.ts');
    const { formatOption } = await import('./generate/format-option.ts');
    const formats = format.map(formatOption);
    const { watch } = await import('./commands/watch.ts');
    const run = (): ReturnType<typeof generate> => generate({ contract, formats, ...options });
    if (isWatching) await watch([contract], async () => (await run()).files);
    else fail(!(await run()).isDone);
  });

program
  .command('check')
  .description('Names everything in contracts that cannot be served, with file, line, column and way out.')
  .argument('<contract...>', 'contracts, YAML or JSON files')
  .option('--strict', 'fail for warnings too', false)
  .option('--json', 'write what is found to standard output as JSON', false)
  .action(async (contracts: string[], options: CheckOptions) => {
    const { check } = await import('./commands/check.ts');
    fail(!(await check(contracts, options)));
  });

program
  .command('mock')
  .description(
    'Serves the examples of a contract on 127.0.0.1, with its API reference at /docs. Nothing is remembered.',
  )
  .argument('<contract>', 'the contract, a YAML or JSON file; the mock follows its edits')
  .option('--port <number>', 'the port; 0 for any that is free', portNumber, 4010)
  .action(async (contract: string, { port }: { readonly port: number }) => {
    const { Mock } = await import('./commands/mock.ts');
    const { watch } = await import('./commands/watch.ts');
    const mock = new Mock(contract);
    const files = await mock.load();
    console.log(`Serving ${contract} on ${await mock.listen(port)}, its reference on /docs`);
    await watch(files, () => mock.load());
  });

/** @throws InvalidArgumentError for a text that is not a port number. */
function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new InvalidArgumentError('It is a number from 0 to 65535.');
}

interface CommandOptions extends Omit<GenerateOptions, 'contract' | 'formats'> {
  readonly watch: boolean;
  readonly format: readonly string[];
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

function fail(hasFailed: boolean): void {
  if (hasFailed) process.exitCode = 1;
}

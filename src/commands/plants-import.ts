import { Command } from 'commander';
import type { Config } from '../config.ts';
import { importPlants } from '../import/import-plants.ts';
import { printable } from '../import/printable.ts';
import { openStores } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';
import { print } from './print.ts';

/** `plant-store plants import`: adds plants from a file. */
export function plantsImportCommand(config: () => Config): Command {
  return new Command('import')
    .description('Add plants from a file: one id per line, CSV with a column id, or JSON lines with a field id.')
    .argument('<file>', "the file, or '-' for standard input")
    .option('--skip-invalid', 'import the valid lines when some are not; by default nothing is imported then')
    .showHelpAfterError("(Name a file, or '-' for standard input: plant-store plants import - < ids.txt)")
    .addHelpText('after', '\nExample:\n  $ seq 1 1000 | plant-store plants import -')
    .action((file: string, { skipInvalid }: { skipInvalid?: true }) => runImport(config(), file, skipInvalid === true));
}

async function runImport(config: Config, file: string, skipInvalid: boolean): Promise<void> {
  let stores: Stores | undefined;
  // Opened after the input was checked: invalid input creates no database.
  const open = async (): Promise<Stores> => (stores = await openStores(config.database));
  try {
    const { imported, present, invalid } = await importPlants(open, file, {
      skipInvalid,
      report: (line) => {
        console.error(printable(line));
      },
      terminal: process.stderr.isTTY ? process.stderr : undefined,
    });
    await print(`Imported: ${imported}. There already or repeated: ${present}. Invalid lines skipped: ${invalid}.\n`);
  } finally {
    await stores?.close();
  }
}

import { Command } from 'commander';
import type { Config } from '../config.ts';
import { importPlants } from '../import/import-plants.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { printable } from '../import/printable.ts';
import { openExistingStores, openStores } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';
import { print, printWhileRead } from './print.ts';

/** `plant-store plants`: imports, exports and counts plants. */
export function plantsCommand(config: () => Config): Command {
  const plants = new Command('plants')
    .description('Import, export and count plants. A server may be running meanwhile.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants import ids.txt');
  plants
    .command('import')
    .description('Add plants from a file: one id per line, CSV with a column id, or JSON lines with a field id.')
    .argument('<file>', "the file, or '-' for standard input")
    .option('--skip-invalid', 'import the valid lines when some are not; by default nothing is imported then')
    .addHelpText('after', '\nExample:\n  $ seq 1 1000 | plant-store plants import -')
    .action((file: string, { skipInvalid }: { skipInvalid?: true }) => runImport(config(), file, skipInvalid === true));
  plants
    .command('export')
    .description('Print the ids of all plants, ascending, one per line.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants export > ids.txt')
    .action(() => runExport(config()));
  plants
    .command('count')
    .description('Print how many plants there are.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants count')
    .action(() => runCount(config()));
  return plants;
}

async function runImport(config: Config, file: string, skipInvalid: boolean): Promise<void> {
  let stores: Stores | undefined;
  // Opened when the input was found good: one that is not makes no database.
  const open = async (): Promise<PlantStore> => (stores = await openStores(config.database)).plants;
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

async function runExport(config: Config): Promise<void> {
  const stores = await openExistingStores(config.database, console.error);
  if (stores === undefined) return;
  try {
    let text = '';
    for await (const id of stores.plants.plantIds()) {
      text += `${id}\n`;
      if (text.length < 65_536) continue;
      if (!(await printWhileRead(text))) return;
      text = '';
    }
    await printWhileRead(text);
  } finally {
    await stores.close();
  }
}

async function runCount(config: Config): Promise<void> {
  const stores = await openExistingStores(config.database, console.error);
  try {
    await print(`${(await stores?.plants.countPlants()) ?? 0n}\n`);
  } finally {
    await stores?.close();
  }
}

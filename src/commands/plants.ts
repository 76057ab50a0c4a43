import { Command } from 'commander';
import type { Config } from '../config.ts';
import { plantsAddCommand } from './plants-add.ts';
import { plantsExportCommand } from './plants-export.ts';
import { plantsHasCommand } from './plants-has.ts';
import { plantsImportCommand } from './plants-import.ts';
import { plantsListCommand } from './plants-list.ts';
import { print } from './print.ts';
import { withExistingStores } from './with-stores.ts';

/** `plant-store plants`: adds, finds, lists, imports, exports and counts plants. */
export function plantsCommand(config: () => Config): Command {
  return new Command('plants')
    .description('Add, find, list, import, export and count plants. A server may be running meanwhile.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants import ids.txt')
    .addCommand(plantsAddCommand(config))
    .addCommand(plantsHasCommand(config))
    .addCommand(plantsListCommand(config))
    .addCommand(plantsImportCommand(config))
    .addCommand(plantsExportCommand(config))
    .addCommand(plantsCountCommand(config));
}

function plantsCountCommand(config: () => Config): Command {
  return new Command('count')
    .description('Print how many plants there are.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants count')
    .action(async () => {
      const count = await withExistingStores(config().database, ({ plants }) => plants.countPlants());
      await print(`${count}\n`);
    });
}

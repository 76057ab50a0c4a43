import { Command } from 'commander';
import type { Config } from '../config.ts';
import { parseId } from './parse-id.ts';
import { print } from './print.ts';
import { withStores } from './with-stores.ts';

/** `plant-store plants add`: adds a few plants. */
export function plantsAddCommand(config: () => Config): Command {
  return new Command('add')
    .description('Add plants by id, in one commit. Those that are there already stay as they are.')
    .argument('<id...>', 'decimal integers; import reads many of them from a file', addId)
    .addHelpText('after', '\nExample:\n  $ plant-store plants add 14 9007199254740993')
    .action(async (ids: ReadonlySet<bigint>) => {
      const added = await withStores(config().database, ({ plants }) => plants.insertPlants([...ids]));
      await print(`Added: ${added}. There already: ${ids.size - added}.\n`);
    });
}

function addId(text: string, ids: Set<bigint> | undefined): Set<bigint> {
  return (ids ?? new Set()).add(parseId(text));
}

import { Command } from 'commander';
import type { Config } from '../config.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { printWhileRead } from './print.ts';
import { withExistingStores } from './with-stores.ts';

/** Characters per write. */
const CHUNK = 65_536;

/** `plant-store plants export`: prints all ids. */
export function plantsExportCommand(config: () => Config): Command {
  return new Command('export')
    .description('Print the ids of all plants, ascending, one per line.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants export > ids.txt')
    .action(() => withExistingStores(config().database, ({ plants }) => printIds(plants)));
}

async function printIds(plants: PlantStore): Promise<void> {
  let text = '';
  for await (const id of plants.plantIds()) {
    text += `${id}\n`;
    if (text.length < CHUNK) continue;
    if (!(await printWhileRead(text))) return;
    text = '';
  }
  await printWhileRead(text);
}

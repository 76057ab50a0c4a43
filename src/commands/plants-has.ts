import { Command } from 'commander';
import type { Config } from '../config.ts';
import { parseId } from './parse-id.ts';
import { print } from './print.ts';
import { reportError } from './report-error.ts';
import { withExistingStores } from './with-stores.ts';

/** `plant-store plants has`: reports by its exit code whether a plant exists. */
export function plantsHasCommand(config: () => Config): Command {
  return new Command('has')
    .description('Tell whether a plant is there: exit code 0 when it is, 1 when it is not, 2 when that is not known.')
    .argument('<id>', 'a decimal integer', parseId)
    .addHelpText('after', '\nExample:\n  $ plant-store plants has 14 && echo yes')
    .action(async (id: bigint) => {
      try {
        const isThere = await withExistingStores(config().database, async ({ plants }) =>
          (await plants.findPlants([id])).has(id),
        );
        await print(isThere ? `The plant ${id} is there.\n` : `There is no plant with the id ${id}.\n`);
        process.exitCode = isThere ? 0 : 1;
      } catch (error) {
        // A separate exit code for failures, as grep and test have.
        reportError(error);
        process.exitCode = 2;
      }
    });
}

import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config.ts';
import { INT64_DESCRIPTION, INT64_MIN, parseInt64 } from 'openapi-exact/int64';
import { printable } from '../import/printable.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { openExistingStores, openStores } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';
import { loadConfig } from './load-config.ts';
import { adviseOn } from './misnamed.ts';
import { reportMigration } from './migration-message.ts';
import { print, printWhileRead } from './print.ts';
import { reportError } from './report-error.ts';
import { withStores } from './with-stores.ts';
import { hasLeadingZeros } from '../import/leading-zeros.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;
/** Characters per write of an export. */
const CHUNK = 65_536;

/** `plant-store plants`: adds, finds, lists, imports, exports and counts plants. */
export function plantsCommand(): Command {
  const plants = new Command('plants')
    .description('Add, find, list, import, export and count plants. A server may be running meanwhile.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants import ids.txt');
  adviseOn(plants, ['delete', 'remove', 'rm'], 'Clients delete plants with a token: DELETE /plants/{id}.');
  adviseOn(plants, ['find', 'get', 'show'], 'Did you mean has?');
  plants
    .command('add')
    .description('Add plants by id, in one commit. Those that are there already stay as they are.')
    .argument('<id...>', 'decimal integers; import reads many of them from a file', addId)
    .addHelpText('after', '\nExample:\n  $ plant-store plants add 14 9007199254740993')
    .action((ids: ReadonlySet<bigint>) => addPlants(loadConfig(), ids));
  plants
    .command('has')
    .description('Tell whether a plant is there: exit code 0 when it is, 1 when it is not, 2 when that is not known.')
    .argument('<id>', 'a decimal integer', parseId)
    .addHelpText('after', '\nExample:\n  $ plant-store plants has 14 && echo yes')
    .action(has);
  plants
    .command('list')
    .description('Print a page of ids, ascending, one per line. When there are more, standard error says how to go on.')
    .option('--from <id>', 'the smallest id to print; all are considered by default', parseId)
    .option('--limit <number>', `how many ids to print, up to ${MAX_LIMIT}`, parseLimit, DEFAULT_LIMIT)
    .addHelpText('after', '\nExample:\n  $ plant-store plants list --from 1000 --limit 50')
    .action(({ from, limit }: { from?: bigint; limit: number }) => listPlants(loadConfig(), from, limit));
  plants
    .command('import')
    .description('Add plants from a file: one id per line, CSV with a column id, or JSON lines with a field id.')
    .argument('<file>', "the file, or '-' for standard input")
    .option('--skip-invalid', 'import the valid lines when some are not; by default nothing is imported then')
    .showHelpAfterError("(Name a file, or '-' for standard input: plant-store plants import - < ids.txt)")
    .addHelpText('after', '\nExample:\n  $ seq 1 1000 | plant-store plants import -')
    .action((file: string, { skipInvalid = false }: { skipInvalid?: boolean }) =>
      importFrom(loadConfig(), file, skipInvalid),
    );
  plants
    .command('export')
    .description('Print the ids of all plants, ascending, one per line.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants export > ids.txt')
    .action(() => withStores(loadConfig().database, openExistingStores, printIds));
  plants
    .command('count')
    .description('Print how many plants there are.')
    .addHelpText('after', '\nExample:\n  $ plant-store plants count')
    .action(async () => {
      await print(
        `${await withStores(loadConfig().database, openExistingStores, ({ plants }) => plants.countPlants())}\n`,
      );
    });
  return plants;
}

/** @throws InvalidArgumentError when an id is not canonical. */
function parseId(text: string): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new InvalidArgumentError(
    `An id is ${INT64_DESCRIPTION}${hasLeadingZeros(text) ? ', without leading zeros' : ''}.`,
  );
}

function addId(text: string, ids: Set<bigint> | undefined): Set<bigint> {
  return (ids ?? new Set()).add(parseId(text));
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_LIMIT}; export prints all ids.`);
}

async function addPlants({ database }: Config, ids: ReadonlySet<bigint>): Promise<void> {
  const added = await withStores(database, openStores, ({ plants }) => plants.insertPlants([...ids]));
  await print(`Added: ${added}. There already: ${ids.size - added}.\n`);
}

async function has(id: bigint): Promise<void> {
  try {
    const isThere = await withStores(loadConfig().database, openExistingStores, async ({ plants }) =>
      (await plants.findPlants([id])).has(id),
    );
    await print(isThere ? `The plant ${id} is there.\n` : `There is no plant with the id ${id}.\n`);
    process.exitCode = isThere ? 0 : 1;
  } catch (error) {
    // A separate exit code for failures, as grep and test have.
    reportError(error);
    process.exitCode = 2;
  }
}

async function listPlants({ database }: Config, from = INT64_MIN, limit: number): Promise<void> {
  const ids: bigint[] = [];
  await withStores(database, openExistingStores, async ({ plants }) => {
    for await (const id of plants.plantIds(from)) {
      ids.push(id);
      if (ids.length > limit) break;
    }
  });
  const next = ids.length > limit ? ids.pop() : undefined;
  await printWhileRead(ids.map((id) => `${id}\n`).join(''));
  if (next !== undefined) console.error(`There are more: plant-store plants list --from ${next} --limit ${limit}`);
}

async function importFrom({ database }: Config, file: string, skipInvalid: boolean): Promise<void> {
  let stores: Stores | undefined;
  // Opened after the input was checked: invalid input creates no database.
  const open = async (): Promise<Stores> => {
    stores = await openStores(database);
    reportMigration(stores.schema, database);
    return stores;
  };
  try {
    // Loaded here, since the start of the service does not need the parser of CSV.
    const { importPlants } = await import('../import/import-plants.ts');
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

async function printIds({ plants }: { readonly plants: PlantStore }): Promise<void> {
  let text = '';
  for await (const id of plants.plantIds()) {
    text += `${id}\n`;
    if (text.length < CHUNK) continue;
    if (!(await printWhileRead(text))) return;
    text = '';
  }
  await printWhileRead(text);
}

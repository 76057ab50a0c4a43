import { Command, InvalidArgumentError } from 'commander';
import { INT64_MIN } from '../contract/numbers/int64.ts';
import type { Config } from '../config.ts';
import { parseId } from './parse-id.ts';
import { printWhileRead } from './print.ts';
import { withExistingStores } from './with-stores.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 10_000;

/** `plant-store plants list`: shows a page of ids. */
export function plantsListCommand(config: () => Config): Command {
  return new Command('list')
    .description('Print a page of ids, ascending, one per line. When there are more, standard error says how to go on.')
    .option('--from <id>', 'the smallest id to print; all are considered by default', parseId)
    .option('--limit <number>', `how many ids to print, up to ${MAX_LIMIT}`, parseLimit, DEFAULT_LIMIT)
    .addHelpText('after', '\nExample:\n  $ plant-store plants list --from 1000 --limit 50')
    .action(({ from, limit }: { from?: bigint; limit: number }) => list(config(), from, limit));
}

async function list({ database }: Config, from = INT64_MIN, limit: number): Promise<void> {
  const ids: bigint[] = [];
  await withExistingStores(database, async ({ plants }) => {
    for await (const id of plants.plantIds(from)) {
      ids.push(id);
      if (ids.length > limit) break;
    }
  });
  const next = ids.length > limit ? ids.pop() : undefined;
  await printWhileRead(ids.map((id) => `${id}\n`).join(''));
  if (next !== undefined) console.error(`There are more: plant-store plants list --from ${next} --limit ${limit}`);
}

function parseLimit(text: string): number {
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_LIMIT}; export prints all ids.`);
}

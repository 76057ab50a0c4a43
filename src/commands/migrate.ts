import { Command } from 'commander';
import type { Config } from '../config.ts';
import { nameOf } from '../stores/database-url.ts';
import { print } from './print.ts';
import { withStores } from './with-stores.ts';

/** `plant-store migrate`: creates or updates the schema, for a service without that privilege. */
export function migrateCommand(config: () => Config): Command {
  return new Command('migrate')
    .description('Make or update the schema of the database, as serve does where it may. Repeating it is harmless.')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://owner@db/plants plant-store migrate')
    .action(async () => {
      const { database } = config();
      // The check tells whether the server takes writes: a replica has an up-to-date schema too.
      await withStores(database, ({ check }) => check());
      await print(`The schema of ${nameOf(database)} is up to date.\n`);
    });
}

import { Command } from 'commander';
import { openStores } from '../stores/open.ts';
import { loadConfig } from './load-config.ts';
import { migrationMessage } from './migration-message.ts';
import { print } from './print.ts';

/** `plant-store migrate`: creates or updates the schema, for a service without that privilege. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Make or update the schema of the database, as serve does where it may. Repeating it is harmless.')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://owner@db/plants plant-store migrate')
    .action(async () => {
      const { database } = loadConfig();
      const stores = await openStores(database, { migrates: true });
      await stores.close();
      await print(`${migrationMessage(stores.schema, database)}\n`);
    });
}

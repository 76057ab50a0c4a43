import { Command } from 'commander';
import type { SchemaVersions } from '../stores/migration-checksums.ts';
import { databaseName } from '../stores/database-url.ts';
import { openStores } from '../stores/open.ts';
import { loadConfig } from './load-config.ts';
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
      await print(`${migrationMessage(stores.schema, databaseName(database))}\n`);
    });
}

function migrationMessage({ before, now }: SchemaVersions, database: string): string {
  if (before === 0) return `The schema of ${database} was made, version ${now}.`;
  if (before === now) return `The schema of ${database} is up to date, version ${now}.`;
  return `The schema of ${database} was updated from version ${before} to ${now}.`;
}

import { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { shellWord } from '../shell-word.ts';
import { replacePassword } from '../stores/database-url.ts';
import { loadConfig } from './load-config.ts';
import { print } from './print.ts';

/** `plant-store restore`: replaces the SQLite database by a backup. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Replace the SQLite database, plants and tokens, by a backup, and keep the one before. Stop the service first.',
    )
    .argument('<file>', 'a file that plant-store backup has written; it stays as it is')
    .addHelpText('after', '\nExample:\n  $ plant-store restore plants-2026-11-28.db')
    .action((file: string) => restore(loadConfig(), file));
}

async function restore({ database }: Config, file: string): Promise<void> {
  if (database.kind === 'postgres') {
    const url = shellWord(replacePassword(database.url, ''));
    throw new OperatorError(
      'Nothing was restored: PostgreSQL has a program for that, which reads the password from PGPASSWORD or a password file. ' +
        `Run: pg_restore --clean --if-exists --dbname=${url} ${shellWord(file)}`,
    );
  }
  const { restoreSqlite } = await import('../stores/sqlite/restore.ts');
  const kept = await restoreSqlite(file, database);
  const before = kept === undefined ? '' : ` The database before is kept as ${kept}.`;
  await print(`Restored ${file} to ${database.file}.${before}\n`);
}

import { Command } from 'commander';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { shellWord } from '../shell-word.ts';
import { replacePassword } from '../stores/database-url.ts';
import { requireDatabase } from '../stores/open.ts';
import { loadConfig } from './load-config.ts';
import { print } from './print.ts';

/** `plant-store backup`: copies the SQLite database while a server uses it. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the SQLite database, plants and tokens, to a new file. A server may be running meanwhile.')
    .argument('<file>', 'the new file, readable by this user only; must not exist')
    .addHelpText('after', '\nExample:\n  $ plant-store backup plants-$(date +%F).db')
    .action((file: string) => backup(loadConfig(), file));
}

async function backup({ database }: Config, file: string): Promise<void> {
  if (database.kind === 'postgres') {
    const url = shellWord(replacePassword(database.url, ''));
    throw new OperatorError(
      'Nothing was backed up: PostgreSQL has a program for that, which reads the password from PGPASSWORD or a password file. ' +
        `Run: pg_dump --format=custom --file=${shellWord(file)} ${url}`,
    );
  }
  await requireDatabase(database);
  const { backupSqlite } = await import('../stores/sqlite/backup.ts');
  await backupSqlite(database.file, file);
  await print(`Backed up ${database.file} to ${file}.\n`);
}

import type { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { configCommand } from './config.ts';
import { migrateCommand } from './migrate.ts';
import { plantsCommand } from './plants.ts';
import { restoreCommand } from './restore.ts';
import { tokensCommand } from './tokens.ts';

/** The commands that the start of the service does not load, in the order of the help. */
export function commandsBesideServe(): readonly Command[] {
  return [migrateCommand(), tokensCommand(), plantsCommand(), backupCommand(), restoreCommand(), configCommand()];
}

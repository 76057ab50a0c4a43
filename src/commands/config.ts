import { Command } from 'commander';
import { SETTINGS, type Config } from '../config.ts';
import type { Setting } from '../setting.ts';
import { shellWord } from '../shell-word.ts';
import { replacePassword } from '../stores/database-url.ts';
import { loadConfig } from './load-config.ts';
import { print } from './print.ts';

/** Variables of other programs that are common in `.env`. */
const FOREIGN_VARIABLES = /^(PG|NODE_|OTEL_|POSTGRES_|COMPOSE_|TZ$)/;

/** `plant-store config`: shows the effective settings. */
export function configCommand(): Command {
  return new Command('config')
    .description('Check the settings and print those in effect, with where each comes from; passwords are masked.')
    .addHelpText('after', '\nExample:\n  $ PORT=8080 plant-store config')
    .action(async () => {
      const given = new Set(Object.keys(process.env));
      const lines = settingLines(loadConfig(), (variable) =>
        given.has(variable) ? 'environment' : variable in process.env ? '.env' : 'default',
      );
      await print(`${lines.join('\n')}\n`);
      const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
      for (const name of Object.keys(process.env)) {
        if (given.has(name) || known.has(name) || FOREIGN_VARIABLES.test(name)) continue;
        console.error(`.env has ${name}, which is not a setting of plant-store.`);
      }
    });
}

function settingLines(config: Config, sourceOf: (variable: string) => string): string[] {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const effective = new Map<string, string>([
    [SETTINGS.databaseUrl.variable, databaseOf(config)],
    [SETTINGS.auditLog.variable, config.audit ? 'on' : 'off'],
    [SETTINGS.docsPage.variable, config.docs ? 'on' : 'off'],
  ]);
  const rows = settings.map(({ variable, default: preset }) => {
    const text = effective.get(variable) ?? process.env[variable] ?? preset;
    return { line: `${variable}=${text === '' ? '' : shellWord(masked(text))}`, source: sourceOf(variable) };
  });
  const width = Math.max(...rows.filter(({ line }) => line.length < 60).map(({ line }) => line.length));
  return rows.map(({ line, source }) => `${line.padEnd(width)}  # ${source}`);
}

function databaseOf({ database }: Config): string {
  return database.kind === 'sqlite' ? `sqlite:${database.file}` : database.url;
}

function masked(text: string): string {
  return text.includes('://') ? replacePassword(text, '***') : text;
}

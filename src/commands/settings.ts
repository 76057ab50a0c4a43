import { Option, type Command } from 'commander';
import { SETTINGS } from '../config.ts';
import type { Setting } from '../setting.ts';

const ALL: readonly Setting<unknown>[] = Object.values(SETTINGS);

/** The settings in `plant-store --help`: one line each, with the default in brackets. */
export function settingsHelp(): string {
  const width = Math.max(...ALL.map(({ variable }) => variable.length)) + 2;
  const lines = ALL.map(({ variable, meaning, default: preset, shownDefault = preset }) => {
    const shown = shownDefault === '' ? '' : ` (${shownDefault})`;
    return `  ${variable.padEnd(width)}${meaning.replaceAll('`', '')}${shown}`;
  });
  return `Environment, also read from .env:\n${lines.join('\n')}`;
}

/** Answers an option such as `--port 8080` with the name of the variable: `PORT`. */
export function refuseSettings(program: Command): void {
  for (const { variable, isConfidential } of ALL) {
    const name = variable.toLowerCase().replaceAll('_', '-');
    program.addOption(new Option(`--${name} [value]`).hideHelp());
    program.on(`option:${name}`, (value: string | null) => {
      const shown = value === null || isConfidential === true ? '…' : value;
      program.error(`error: unknown option '--${name}': use ${variable}=${shown} in the environment or in .env`);
    });
  }
}

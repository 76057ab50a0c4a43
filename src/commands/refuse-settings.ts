import type { Command } from 'commander';
import { Option } from 'commander';
import { SETTINGS } from '../config.ts';
import type { Setting } from '../setting.ts';

/** Answers an option such as `--port 8080` with the name of the variable: `PORT`. */
export function refuseSettings(program: Command): void {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  for (const { variable, isConfidential } of settings) {
    const name = variable.toLowerCase().replaceAll('_', '-');
    program.addOption(new Option(`--${name} [value]`).hideHelp());
    program.on(`option:${name}`, (value: string | null) => {
      const shown = value === null || isConfidential === true ? '…' : value;
      program.error(`error: unknown option '--${name}': use ${variable}=${shown} in the environment or in .env`);
    });
  }
}

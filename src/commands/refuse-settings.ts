import type { Command } from 'commander';
import { Option } from 'commander';
import { SETTINGS } from '../config.ts';
import type { Setting } from '../setting.ts';

/** Makes a program say, for an option such as `--port 8080`, that the variable `PORT` is what it looks for. */
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

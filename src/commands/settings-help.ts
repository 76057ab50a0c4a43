import { SETTINGS } from '../config.ts';
import type { Setting } from '../setting.ts';

/** The settings in `plant-store --help`: one line each, with the default in brackets. */
export function settingsHelp(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const width = Math.max(...settings.map(({ variable }) => variable.length)) + 2;
  const lines = settings.map(({ variable, meaning, default: preset, shownDefault = preset }) => {
    const shown = shownDefault === '' ? '' : ` (${shownDefault})`;
    return `  ${variable.padEnd(width)}${meaning.replaceAll('`', '')}${shown}`;
  });
  return `Environment, also read from .env:\n${lines.join('\n')}`;
}

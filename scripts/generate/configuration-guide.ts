import { SETTINGS } from '../../src/config.ts';
import type { Setting } from '../../src/setting.ts';

/** Writes docs/configuration.md from the table of settings. */
export function configurationGuide(): string {
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const rows = settings.map(({ variable, meaning, expected, default: preset, shownDefault }) => {
    const shown = shownDefault ?? (preset === '' ? '' : `\`${preset}\``);
    return `| \`${variable}\` | ${shown} | ${meaning} | ${expected} |`;
  });
  return `<!-- Written by \`npm run generate\` from src/config.ts. -->

# Configuration

Which settings the service has, what they mean, and what they are by default.

\`plant-store\` reads these environment variables at its start. It reads a file \`.env\` in the working
folder too; the environment wins. A bad value stops the start, and one line names all bad ones.

| variable | default | meaning | must be |
|---|---|---|---|
${rows.join('\n')}
`;
}

import { readFileSync } from 'node:fs';

// npm packs no package.json without a version.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of this program, from package.json. */
export const VERSION = version;

import { readFileSync } from 'node:fs';

// npm packs no package.json without a version, and the tests need `engines`.
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

/** The version of this program, from package.json. */
export const VERSION = manifest.version;

/** The versions of Node.js that run this program: the range `engines` of package.json. */
export const NODE_RANGE = manifest.engines.node;

import { fileURLToPath } from 'node:url';

/** What Node.js is to load before a program that serves a contract: see there. */
export const UNUSED_SCHEMA = fileURLToPath(new URL('unused-schema.cjs', import.meta.url));

/** The same as a value of the variable NODE_OPTIONS. */
export const WITHOUT_UNUSED_SCHEMA = `--require=${JSON.stringify(UNUSED_SCHEMA)}`;

import { CHUNKS } from './probes/chunks.ts';
import { CONNECTIONS } from './probes/connections.ts';
import { HEADERS } from './probes/headers.ts';
import { HOSTS } from './probes/hosts.ts';
import { LENGTHS } from './probes/lengths.ts';
import { TARGETS } from './probes/targets.ts';
import { VERSIONS } from './probes/versions.ts';
import type { Probes } from './probes/probe.ts';

/**
 * Requests that two parsers may read differently, like those of Http11Probe. Every one that can
 * carries a valid token, so that only its correct reading protects the plants.
 */
export const PROBES: Readonly<Record<string, Probes>> = {
  'body lengths': LENGTHS,
  'chunked bodies': CHUNKS,
  'header syntax': HEADERS,
  'the Host header': HOSTS,
  'request targets': TARGETS,
  'methods and versions': VERSIONS,
  'Connection, Upgrade, Expect and what follows': CONNECTIONS,
};

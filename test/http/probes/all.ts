import { CHUNKS } from './chunks.ts';
import { CONNECTIONS } from './connections.ts';
import { HEADERS } from './headers.ts';
import { HOSTS } from './hosts.ts';
import { LENGTHS } from './lengths.ts';
import type { Probes } from './probe.ts';
import { TARGETS } from './targets.ts';
import { VERSIONS } from './versions.ts';

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

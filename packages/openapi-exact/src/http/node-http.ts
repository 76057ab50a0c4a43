import type * as NodeHttp from 'node:http';
import { createRequire } from 'node:module';

/**
 * `node:http`, as `require` returns it. An `import` reads each of its exports, among them
 * `WebSocket`, which loads undici: a tenth of a start.
 */
// `require` returns this module for this name.
export const http = createRequire(import.meta.url)('node:http') as typeof NodeHttp;

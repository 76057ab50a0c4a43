import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps what V8 compiles of modules that are loaded from now on in a folder, which shortens the
 * next starts. Where the folder cannot be written, or Node.js has no such cache (20), nothing is
 * kept. Operators may choose another folder with NODE_COMPILE_CACHE, and switch the cache off with
 * NODE_DISABLE_COMPILE_CACHE=1.
 * @param folder of the installation: whoever can write to it decides what the program does. Node's
 * default is below a temporary folder that other users can write to.
 */
export function cacheCompiledCode(folder: URL): void {
  // Node.js 20 lacks the function, and so do its types.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(folder));
}

import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Keeps V8's compiled code of modules in a folder, which shortens later starts; without effect on
 * Node.js 20 or in a read-only folder. NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE override.
 * @param folder of the installation: its writers control the program. Other users can write to
 * Node's default, a temporary folder.
 */
export function cacheCompiledCode(folder: URL): void {
  // Node.js 20 lacks the function, and so do its types.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(folder));
}

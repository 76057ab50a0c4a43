import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The bytes of the heap that are in use. */
export function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  // The flag above makes it a function of each new context.
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

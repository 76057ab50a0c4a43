import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage until objects are gone, for a moment at most: V8 keeps what the latest
 * iterations of the event loop have used.
 * @returns how many are left.
 */
export async function leftOf(objects: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  // What V8 shows with that flag.
  const collect = runInNewContext('gc') as () => void;
  const left = (): number => objects.filter((one) => one.deref() !== undefined).length;
  for (let turn = 0; turn < 20 && left() > 0; turn++) {
    await pause(20);
    collect();
  }
  return left();
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, to be removed by the test. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'plant-store-test-'));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, to be removed by the caller. */
export function temporaryFolder(name = 'test'): Promise<string> {
  return mkdtemp(join(tmpdir(), `plant-store-${name}-`));
}

export async function inTemporaryFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder(name);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTemporaryFolder } from './temporary-folder.ts';

/** Writes the files of a contract, openapi.yaml first, for the time of a function. */
export async function withFiles<T>(
  files: Readonly<Record<string, string>>,
  use: (contract: URL) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder('contract', async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return use(pathToFileURL(join(folder, 'openapi.yaml')));
  });
}

/** The text of a contract that a test makes as an object, of OpenAPI 3.1 unless it says another. */
export function documentText(document: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Inline', version: '1.0.0' }, ...document });
}

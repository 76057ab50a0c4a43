import { afterAll } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How often each status was seen, as `operationId status`, by the tests of this file. */
const seen = new Map<string, number>();

/** Notes that an operation was answered with a status. */
export function recordAnswer(operationId: string, status: number): void {
  const key = `${operationId} ${status}`;
  seen.set(key, (seen.get(key) ?? 0) + 1);
}

// The folder is named by scripts/checks/jest.ts, which adds up the files of all test files in it.
const folder = process.env['ANSWERS_FOLDER'];
if (folder !== undefined) {
  afterAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify([...seen]));
  });
}

import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { UNUSED_SCHEMA } from '../support/unused-schema.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The types of all features are compiled; in milliseconds. */
const TIMEOUT = 600_000;

test(
  'every feature of OpenAPI that is not refused is served, no invalid message is accepted, and the types say the same',
  async () => {
    const script = ['--require', UNUSED_SCHEMA, '--import', 'tsx', 'packages/openapi-exact/test/conformance/main.ts'];
    const args = [...script, 'packages/openapi-exact/test/fixtures/contracts/features', '--verbose'];
    const { stdout } = await startProcess(process.execPath, args, { cwd: PROJECT }).ended;
    const lines = stdout.trimEnd().split('\n');
    const [, operations = ''] = /of (\d+) operations/.exec(lines.at(-1) ?? '') ?? [];
    expect(lines.filter((line) => line.startsWith(' '))).toEqual([]);
    expect(lines.at(-1)).toBe(
      `served ${operations} of ${operations} operations, accepted 0 invalid messages, 0 contradictions of types`,
    );
    expect(Number(operations)).toBeGreaterThan(50);
  },
  TIMEOUT,
);

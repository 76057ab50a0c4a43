import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from '../support/process.ts';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

// Several programs start in each test, on a machine that may be busy with others.
jest.setTimeout(120_000);

/** `npm run dev`, as a person at a terminal sees it. */
interface Dev {
  /** Waits for text after the last that was waited for. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits for a server that says where it is. */
  url(): Promise<string>;
  /** Presses Ctrl-C: a terminal sends it to all processes of the group. @returns the exit code */
  interrupt(): Promise<number | null>;
  kill(): Promise<void>;
}

let copy: ScratchCopy;
let dev: Dev;
beforeEach(async () => {
  copy = await scratchCopy();
  dev = startDev();
});
afterEach(async () => {
  await dev.kill();
  await rm(copy.folder, { recursive: true });
});

function startDev(): Dev {
  const { PATH = '', HOME = '' } = process.env;
  const { child, ended } = startProcess(join(copy.folder, 'node_modules/.bin/tsx'), ['scripts/dev.ts'], {
    cwd: copy.folder,
    env: { PATH, HOME, PORT: '0', ADMIN_PORT: '0' },
    // A process group of its own, as a terminal gives it.
    detached: true,
  });
  let output = '';
  let read = 0;
  const collect = (chunk: Buffer | string): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((found, fail) => {
      const look = (): void => {
        const match = pattern.exec(output.slice(read));
        if (match === null) return;
        read += match.index + match[0].length;
        child.stdout.off('data', look);
        child.stderr.off('data', look);
        found(match);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      void ended.then(() => {
        fail(new Error(`It ended without saying ${pattern.source}:\n${output.slice(read)}`));
      });
      look();
    });
  return {
    until,
    url: async () => (await until(/The plant store is at (http:\/\/\S+)\n/))[1] ?? '',
    interrupt: async () => {
      signalGroup(child, 'SIGINT');
      return (await ended).code;
    },
    kill: async () => {
      signalGroup(child, 'SIGKILL');
      await ended;
    },
  };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** Asks without a token, which a server that is up refuses. */
async function answers(url: string): Promise<number> {
  return (await fetch(`${url}/plants/1`, { method: 'DELETE' })).status;
}

const OPERATION = `  /counts:
    get:
      operationId: countPlants
      summary: Count the plants
      tags: [plants]
      responses:
        '204': { description: They were counted. }
        '401': { $ref: '#/components/responses/Unauthorized' }
`;

test('npm run dev restarts after an edit, generates after an edit of the contract, and names what is wrong with it and which handler is missing', async () => {
  await dev.until(/^Up to date: /m);
  expect(await answers(await dev.url())).toBe(401);

  await copy.edit('src/plants/handlers.ts', 'return {\n', 'return {\n    // A comment.\n');
  expect((await dev.until(/^(Up to date|Wrote|The plant store is at)/m))[1]).toBe('The plant store is at');

  // Editors replace a file by renaming another one to it.
  const original = await copy.read('openapi.yaml');
  await copy.write('openapi.yaml.new', original.replace('paths:\n', `paths:\n${OPERATION}`));
  await rename(join(copy.folder, 'openapi.yaml.new'), join(copy.folder, 'openapi.yaml'));
  await dev.until(/^src\/plants\/handlers\.ts:\d+: no handler for countPlants \(GET \/counts, openapi\.yaml:\d+\)$/m);
  await dev.until(/^watching, Ctrl-C stops$/m);
  const types = await copy.read('generated/openapi.d.ts');
  expect(types).toContain('countPlants');

  await copy.write('openapi.yaml', original.replace('info:\n', 'info: [}\n'));
  await dev.until(/^openapi\.yaml:2:\d+: error: /m);
  await dev.until(/^watching, Ctrl-C stops$/m);
  expect(await copy.read('generated/openapi.d.ts')).toBe(types);

  await copy.write('openapi.yaml', original.replace('paths:\n', `paths:\n${OPERATION}`));
  await dev.until(/: no handler for countPlants /);
  const handler = 'return {\n    countPlants: () => Promise.resolve({ status: 204 }),\n';
  await copy.edit('src/plants/handlers.ts', 'return {\n', handler);
  const last = await dev.url();
  expect((await fetch(`${last}/counts`)).status).toBe(401);
  expect(await dev.interrupt()).toBe(0);
  await expect(answers(last)).rejects.toThrow('fetch failed');
});

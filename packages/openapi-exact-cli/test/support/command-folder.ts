import { afterEach, beforeEach } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callProgram } from 'test-support/call-program.ts';
import { startProcess, type Outcome, type RunningProcess } from 'test-support/process.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';

const SOURCE = new URL('../../src/cli.ts', import.meta.url);
/** Built before the tests. */
const BUILT = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** The command in a new folder for each test of a file. */
export class CommandFolder {
  #folder = '';

  constructor() {
    beforeEach(async () => {
      this.#folder = await temporaryFolder();
    });
    afterEach(() => rm(this.#folder, { recursive: true }));
  }

  /** Writes a file in the folder. */
  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.#folder, name), text);
  }

  /** The text of a file in the folder. */
  read(name: string): Promise<string> {
    return readFile(join(this.#folder, name), 'utf8');
  }

  /** Runs the command from its source, in this process. */
  run(...args: string[]): Promise<Outcome> {
    return callProgram(SOURCE, args, { folder: this.#folder });
  }

  /** Starts the built command. */
  start(...args: string[]): RunningProcess {
    return startProcess(process.execPath, [BUILT, ...args], { cwd: this.#folder });
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const [PREPARED = '', GENERATE = '', CHECKS = ''] = ['checks/prepared', 'generate', 'checks/contract'].map((name) =>
  fileURLToPath(new URL(`../${name}.ts`, import.meta.url)),
);

/** Runs scripts/generate.ts in a process that has loaded the linter and the compiler already. */
export class Generator {
  #prepared = prepare();
  #preparedAt = Date.now();

  /** @param packagesEdit when the packages were edited last. @returns whether it succeeded. */
  async generate(packagesEdit: number): Promise<boolean> {
    if (packagesEdit > this.#preparedAt) {
      // It has loaded them as they were. Without arguments it ends.
      this.#prepared.stdin?.end();
      this.#prepare();
    }
    const generating = this.#prepared;
    generating.stdin?.end('[]');
    await once(generating, 'close');
    this.#prepare();
    return generating.exitCode === 0;
  }

  #prepare(): void {
    this.#prepared = prepare();
    this.#preparedAt = Date.now();
  }
}

/** Loads the modules of src/ when it runs, since edits change them. It ends with this process. */
function prepare(): ChildProcess {
  const args = ['--import', 'tsx', PREPARED, GENERATE, CHECKS, 'typescript'];
  return spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
}

import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

const COMPILER = 'node_modules/typescript-7/bin/tsc';

/** Shows the type errors of the project after each edit, beside the running service. */
export class TypeErrors {
  readonly #remembered = join(tmpdir(), `plant-store-dev-${process.pid}.tsbuildinfo`);
  #compiler: ChildProcess | undefined;

  /** Begins anew with the current sources. */
  show(): void {
    this.#end();
    const options = ['--pretty', 'false', '--incremental', '--tsBuildInfoFile', this.#remembered];
    this.#compiler = spawn(process.execPath, [COMPILER, ...options], { stdio: 'inherit', detached: true });
    // The service starts first.
    if (this.#compiler.pid !== undefined) setPriority(this.#compiler.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  }

  stop(): void {
    this.#end();
    rmSync(this.#remembered, { force: true });
  }

  /**
   * On Node.js 20 the compiler is a child of the process that starts it: both are of one group. A
   * signal that it may catch would let it report what it has begun with.
   */
  #end(): void {
    const { pid, exitCode } = this.#compiler ?? {};
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
  }
}

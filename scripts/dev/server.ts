import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The service from its sources, in a process of its own. */
export class Server {
  #process: ChildProcess | undefined;
  #isReady = false;

  /** Whether it answers requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Stops the service gracefully, then starts it with the sources as they are. */
  async restart(): Promise<void> {
    await this.stop();
    const args = ['--import', 'tsx', 'src/cli.ts', 'serve'];
    const started = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    this.#process = started;
    started.on('message', (message) => {
      if (message === 'ready') this.#isReady = this.#process === started;
    });
    started.once('close', (code) => {
      if (this.#process !== started) return;
      this.#process = undefined;
      this.#isReady = false;
      if (code !== 0) console.error('The service has ended. It starts again after the next edit.');
    });
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    this.#process = undefined;
    this.#isReady = false;
    // In-flight requests complete first.
    running.kill('SIGTERM');
    await once(running, 'close');
  }
}

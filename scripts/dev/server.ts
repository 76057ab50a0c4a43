import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a stop may take before the service is killed, in milliseconds; its own limit is 8 s. */
const LONGEST_STOP = 10_000;

/** The service from its sources, in a process of its own. */
export class Server {
  #process: ChildProcess | undefined;
  #isReady = false;

  /** Whether it answers requests. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Stops the service gracefully, then starts it with the current sources. */
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
    // An endless loop hears no signal.
    const limit = setTimeout(() => {
      console.error('The service does not stop, as in an endless loop: it is killed.');
      running.kill('SIGKILL');
    }, LONGEST_STOP);
    await once(running, 'close');
    clearTimeout(limit);
  }
}

import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The last character of standard output and error in a run: ACK and NAK of ASCII. */
export const [SUCCEEDED, FAILED] = ['\u0006', '\u0015'] as const;

const TSX = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
const PROCESS = fileURLToPath(new URL('./warm-script-process.ts', import.meta.url));

/** What a run of a script has written. */
export interface Run {
  readonly succeeded: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A script in a process of its own that keeps the modules it has loaded, so that runs are short. It
 * keeps them also when their files change.
 */
export class WarmScript {
  readonly #process: ChildProcessWithoutNullStreams;

  /** @param script its path. @param modules what it needs, loaded before the first run. */
  constructor(script: string, modules: readonly string[]) {
    this.#process = spawn(process.execPath, ['--import', TSX, PROCESS, script, ...modules]);
    // A process that has ended takes no more arguments: the run fails with what it has written.
    this.#process.stdin.on('error', () => undefined);
  }

  /** False once a module could not be loaded. */
  get isRunning(): boolean {
    return this.#process.exitCode === null;
  }

  /** Runs the script again. A run must have ended before the next one. */
  async run(args: readonly string[]): Promise<Run> {
    const { stdin, stdout, stderr } = this.#process;
    stdin.write(`${JSON.stringify(args)}\n`);
    const [written, errors] = await Promise.all([untilMark(stdout), untilMark(stderr)]);
    return { succeeded: written.endsWith(SUCCEEDED), stdout: withoutMark(written), stderr: withoutMark(errors) };
  }

  stop(): void {
    this.#process.kill();
  }
}

/** What a stream brings until a run is over, or the process. */
async function untilMark(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.endsWith(SUCCEEDED) || text.endsWith(FAILED)) break;
  }
  return text;
}

function withoutMark(text: string): string {
  return text.replace(new RegExp(`[${SUCCEEDED}${FAILED}]$`), '');
}

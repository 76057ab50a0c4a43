import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Outcome } from './cli.ts';
import { environmentOf, execForm, readStages, textsOf } from './dockerfile.ts';

const SCRIPT = fileURLToPath(new URL('container.sh', import.meta.url));

/** A program that runs as it would in a container. */
export interface Container {
  /** Standard output so far. */
  readonly output: () => string;
  /** Waits until standard output matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** The process's number outside of the container. */
  processId(): Promise<number>;
  /** Resolves when it has ended. */
  readonly ended: Promise<Outcome>;
}

/** What the image's last stage says of starting containers. */
export interface Image {
  /** Starts the ENTRYPOINT with these words in place of the CMD. */
  start(args?: readonly string[], env?: Readonly<Record<string, string>>, input?: string): Container;
  /** Runs any other program in a container over the same data. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Runs the HEALTHCHECK. @returns its exit code. */
  healthcheck(env: Readonly<Record<string, string>>): Promise<number | null>;
}

/** Whether this machine can put processes into a root and a process table of their own; null when it can, else what is missing. */
export async function missingForContainers(): Promise<string | null> {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0) return 'needs root';
  // All that container.sh does, which some machines allow in part.
  const steps =
    'mount -t tmpfs tmpfs /tmp && mount -o remount,bind,ro /tmp && exec setpriv --reuid=1000 --clear-groups true';
  const probe = ['--mount', '--pid', '--fork', 'sh', '-c', steps];
  return promisify(execFile)('unshare', probe).then(
    () => null,
    () => 'needs unshare and setpriv of util-linux, and the permission to use them',
  );
}

/** @param app what buildImage has built. @param folder for the containers' roots. */
export async function imageOf(app: string, folder: string): Promise<Image> {
  const stage = (await readStages()).at(-1) ?? [];
  const [entrypoint = '', cmd = '', healthcheck = ''] = ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map(
    (keyword) => textsOf(stage, keyword).at(-1) ?? '[]',
  );
  const variables = environmentOf(stage);

  async function root(): Promise<string[]> {
    return [SCRIPT, await mkdtemp(join(folder, 'root-')), app, process.execPath];
  }

  function launch(words: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Container {
    let [stdout, stderr] = ['', ''];
    const started = root().then((script) => {
      const args = ['--mount', '--pid', '--fork', '--kill-child', 'sh', ...script, ...words];
      const child = spawn('unshare', args, {
        env: { PATH: '/node:/usr/bin:/bin:/usr/sbin:/sbin', ...variables, ...env },
      });
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      // A program that does not read its input to the end closes it.
      child.stdin.on('error', () => undefined).end(input);
      return child;
    });
    const ended = started.then(async (child) => {
      await once(child, 'close');
      return { code: child.exitCode, stdout, stderr };
    });
    return {
      output: () => stdout,
      until: async (pattern) => {
        const child = await started;
        for (;;) {
          const match = pattern.exec(stdout);
          if (match !== null) return match;
          if (child.exitCode !== null)
            throw new Error(`It ended without writing ${pattern.source}:\n${stdout}${stderr}`);
          await new Promise((done) => setTimeout(done, 20));
        }
      },
      processId: async () => {
        const { pid = 0 } = await started;
        return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
      },
      ended,
    };
  }

  return {
    start: (args = execForm(cmd), env, input) => launch([...execForm(entrypoint), ...args], env, input),
    run: (words, env) => launch(words, env).ended,
    healthcheck: async (env) => (await launch(execForm(healthcheck), env).ended).code,
  };
}

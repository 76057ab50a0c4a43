import { mkdir, readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { workplace } from './workplace.ts';

const DATA = fileURLToPath(new URL('../../data/', import.meta.url));

/** The built plant store as a process of its own, to be put under load for a long time. */
export interface StoreProcess {
  readonly port: number;
  /** A valid token. */
  readonly token: string;
  readonly revokedToken: string;
  /** Resolves with the exit code, null for a signal. */
  readonly ended: Promise<number | null>;
  /** Its standard error so far. */
  readonly errors: () => string;
  /** Imports plants while the server runs. */
  plant(ids: Iterable<bigint>): Promise<void>;
  /** All plants, ascending. */
  plants(): Promise<bigint[]>;
  /** Resident memory in MB; NaN where the system has no /proc. */
  memory(): Promise<number>;
  /** Open descriptors; NaN where the system has no /proc. */
  descriptors(): Promise<number>;
  /** Stops it in order. */
  stop(): Promise<void>;
  /** Kills it if it still runs, and removes its database. */
  remove(): Promise<void>;
}

/**
 * Starts a plant store on the disk of the project: a temporary folder may be in memory, where a
 * commit costs nothing. `npm run build` comes before.
 * @param onLine is told each line of its log.
 */
export async function startStoreProcess(
  settings: Readonly<Record<string, string>> = {},
  onLine?: (line: string) => void,
): Promise<StoreProcess> {
  await mkdir(DATA, { recursive: true });
  const place = await workplace(DATA);
  const env = { NODE_ENV: 'production', ...settings };
  const run = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await place.run(args, input === undefined ? { env } : { env, input });
    if (code !== 0) throw new Error(`plant-store ${args.join(' ')} failed: ${stderr}`);
    return stdout;
  };
  try {
    const token = (await run(['tokens', 'create', 'valid'])).trim();
    const revokedToken = (await run(['tokens', 'create', 'revoked'])).trim();
    await run(['tokens', 'revoke', 'revoked']);
    const server = await place.serve(env, [], onLine);
    server.forget();
    const proc = `/proc/${server.pid}`;
    return {
      port: Number(new URL(server.url).port),
      token,
      revokedToken,
      ended: server.ended.then(({ code }) => code),
      errors: server.errors,
      plant: async (ids) => {
        await run(['plants', 'import', '-'], [...ids].join('\n'));
      },
      plants: async () => (await run(['plants', 'export'])).split('\n').filter(Boolean).map(BigInt),
      memory: async () => {
        const status = await readFile(`${proc}/status`, 'utf8').catch(() => '');
        // proc_pid_status(5): in kB.
        return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1024;
      },
      descriptors: () =>
        readdir(`${proc}/fd`).then(
          ({ length }) => length,
          () => NaN,
        ),
      stop: async () => {
        await server.stop();
      },
      remove: () => place.remove(),
    };
  } catch (error) {
    await place.remove();
    throw error;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from './cli.ts';

/** What a server said of itself at its second listener. */
export interface Probe {
  readonly status: number;
  readonly body: unknown;
}

/** Asks a server whether it lives (`/livez`) or is ready for requests (`/readyz`), as a supervisor does. */
export async function probe({ admin }: Pick<ServerProcess, 'admin'>, path: '/livez' | '/readyz'): Promise<Probe> {
  const response = await fetch(admin + path);
  return { status: response.status, body: await response.json() };
}

/** Asks again until the status is this one. @throws after a number of milliseconds. */
export async function untilProbed(
  server: Pick<ServerProcess, 'admin'>,
  path: '/livez' | '/readyz',
  status: number,
  within: number,
): Promise<Probe> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await probe(server, path);
    if (answer.status === status) return answer;
    if (performance.now() > deadline) throw new Error(`${path} still is ${answer.status} after ${within} ms`);
    await pause(10);
  }
}

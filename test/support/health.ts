import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from './cli.ts';

/** Asks a server whether it lives (`/livez`) or is ready (`/readyz`), as a supervisor does. */
export async function healthOf(
  { admin }: Pick<ServerProcess, 'admin'>,
  path: '/livez' | '/readyz',
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(admin + path);
  return { status: response.status, body: await response.json() };
}

/** Asks for `/readyz` until its status is this one. @throws after a number of milliseconds. */
export async function untilReadyz(
  server: Pick<ServerProcess, 'admin'>,
  status: 200 | 503,
  within: number,
): ReturnType<typeof healthOf> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await healthOf(server, '/readyz');
    if (answer.status === status) return answer;
    if (performance.now() > deadline) throw new Error(`/readyz still is ${answer.status} after ${within} ms`);
    await pause(10);
  }
}

/** How many deletes wait for their commit, as a server tells operators. */
export async function queueLength({ admin }: Pick<ServerProcess, 'admin'>): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(/^store_queue_length (\d+)$/m.exec(text)?.[1]);
}

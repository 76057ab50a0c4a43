import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/** The shortest pause between two steps, in milliseconds. */
const SHORTEST = 5;
/** The share of a pause in which the event loop may have been busy for the next step to begin. */
const BUSY = 0.5;

/**
 * Takes steps, one after another, in the pauses of the event loop: each waits twice as long as the
 * one before took, and until the event loop is idle for half of a pause. Does not keep the process
 * alive.
 */
export async function inPauses(steps: Iterable<() => Promise<unknown>>): Promise<void> {
  let length = SHORTEST;
  for (const step of steps) {
    await idle(length);
    const start = performance.now();
    await step();
    length = Math.max(SHORTEST, 2 * (performance.now() - start));
  }
}

async function idle(length: number): Promise<void> {
  let utilization = 1;
  while (utilization > BUSY) {
    const before: EventLoopUtilization = performance.eventLoopUtilization();
    await setTimeout(length, undefined, { ref: false });
    ({ utilization } = performance.eventLoopUtilization(before));
  }
}

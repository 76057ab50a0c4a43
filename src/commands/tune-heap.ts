import { setFlagsFromString } from 'node:v8';

/** Tells V8 how to keep the memory of a process that serves requests, before there is any. What guards it are the goals of the two rows of the bench. */
export function tuneHeap(): void {
  // How much more than what is in use the old part of the heap may take before it is collected, in per cent: V8 lets it double. Measured
  // after millions of requests, before limit-young-generation.ts: 117 MB resident in place of 128, at the same throughput (`npm run bench -- --only memory`).
  setFlagsFromString('--heap-growing-percent=30');
  // Node 24's V8 comes to take what a request needs for long-lived, and keeps it until the old part is collected: p99 of durable deletes
  // 18 ms in place of 5 (`npm run bench -- --only durable --node 24`). Nothing of a request outlives it.
  setFlagsFromString('--no-allocation-site-pretenuring');
}

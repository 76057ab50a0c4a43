import { performance } from 'node:perf_hooks';

/** What waits for the end of this turn. */
let waiting: (() => void)[] = [];
/** True while the end of a turn runs, until no promise of it is left. */
let ending = false;
/** True when a connection was accepted since the last end of a turn. */
let accepted = false;
/** For how long the event loop had worked when the last end of a turn began, in milliseconds. */
let workedAtLastEnd = 0;
/** Until when this end is put off, by `performance.now()`. */
let putOffUntil: number | undefined;
/** How long it is put off in all, and from when on one may be again. */
let putOffFor = 0;
let nextPutOff = 0;

/**
 * How long it is put off at most, in milliseconds; and how long not, after that, however many connections come. After a long turn it is longer: fewer of
 * them would come to many long turns otherwise.
 */
const SHORTEST = 5;
const LONGEST = 50;
const PART_OF_TURN = 1 / 4;

/**
 * Runs a task together with all others of this turn of the event loop, at its end: after its I/O, or, when that end has begun, as
 * soon as the promises of those before it have run.
 *
 * Requests that arrive together then pass each stage together, so that its code is in the processor's caches for all but the first, and their
 * deletes go into one commit. Measured with `npm run bench` (64 connections, Node 20): 33,000 to 52,000 requests/s without a
 * store, 37,000 to 41,000 durable deletes/s. test/end-of-turn.test.ts guards it, and
 * the tests of the server the order of answers and the fate of broken requests.
 */
export function atEndOfTurn(task: () => void): void {
  // Ticks run when the promises have run (https://nodejs.org/api/process.html#processnexttickcallback-args).
  if (ending) queueMicrotask(process.nextTick.bind(process, task));
  else if (waiting.push(task) === 1) setImmediate(end);
}

/**
 * Says that a connection was accepted. libuv accepts one in each turn (https://github.com/libuv/libuv/pull/3696): where turns are full of work, new
 * clients would wait for seconds. So the next ones are accepted first. Measured by test/resilience/http-accept.faults.ts, with 400 clients that come at once
 * to a busy server: the last is answered after 0.4 s in place of 10; and after 0.7 s in place of 1.6 on a machine of a quarter of that speed, whose turns are
 * longer.
 */
export function noteAccepted(): void {
  accepted = true;
}

/** For how long the event loop has worked, in milliseconds. */
function worked(): number {
  return performance.now() - performance.nodeTiming.idleTime;
}

/** True while there may be more connections to accept, but not for long. */
function isPutOff(): boolean {
  if (!accepted) {
    putOffUntil = undefined;
    return false;
  }
  accepted = false;
  const now = performance.now();
  if (now < nextPutOff) return false;
  if (putOffUntil === undefined) {
    putOffFor = Math.min(LONGEST, Math.max(SHORTEST, (worked() - workedAtLastEnd) * PART_OF_TURN));
    putOffUntil = now + putOffFor;
  }
  if (now < putOffUntil) return true;
  putOffUntil = undefined;
  nextPutOff = now + putOffFor;
  return false;
}

function end(): void {
  if (isPutOff()) {
    setImmediate(end);
    return;
  }
  workedAtLastEnd = worked();
  const tasks = waiting;
  waiting = [];
  ending = true;
  queueMicrotask(() => {
    process.nextTick(() => {
      ending = false;
    });
  });
  for (const task of tasks) {
    try {
      task();
    } catch (error) {
      // An error that nobody catches, as it would be without this; those behind it are done all the same.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}

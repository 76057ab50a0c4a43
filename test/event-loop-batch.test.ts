import { beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EventLoopBatch } from '../src/event-loop-batch.ts';

let iteration: EventLoopBatch;
beforeEach(() => {
  iteration = new EventLoopBatch();
});

const turn = (): Promise<void> => new Promise((done) => setImmediate(() => setImmediate(done)));

test('tasks of one turn run at its end, in their order', async () => {
  const ran: string[] = [];
  iteration.run(() => ran.push('first'));
  iteration.run(() => ran.push('second'));
  await Promise.resolve();
  ran.push('promises of the turn');
  await turn();
  expect(ran).toEqual(['promises of the turn', 'first', 'second']);
});

test('a task that is asked for at the end of a turn runs in that same end, behind the promises of all others', async () => {
  const ran: string[] = [];
  const steps = async (name: string): Promise<void> => {
    for (let step = 1; step <= 3; step++) {
      await Promise.resolve();
      ran.push(`${name}${step}`);
    }
    if (name === 'a') iteration.run(() => ran.push('commit'));
  };
  iteration.run(() => void steps('a'));
  iteration.run(() => void steps('b'));
  const nextTurn = turn().then(() => ran.push('next turn'));
  await nextTurn;
  expect(ran).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'commit', 'next turn']);
});

test('so does one that is asked for by the tasks themselves, before any promise', async () => {
  const ran: string[] = [];
  iteration.run(() => {
    iteration.run(() => ran.push('commit'));
  });
  iteration.run(() => {
    void Promise.resolve().then(() => ran.push('promise'));
  });
  await turn();
  expect(ran).toEqual(['promise', 'commit']);
});

test('where a connection was accepted, the next are accepted before the tasks run', async () => {
  const ran: string[] = [];
  iteration.run(() => ran.push('task'));
  iteration.noteAccepted();
  await new Promise(setImmediate);
  expect(ran).toEqual([]);
  await new Promise(setImmediate);
  expect(ran).toEqual(['task']);
});

test('tasks run also while connections come all the time', async () => {
  const ran: number[] = [];
  const end = performance.now() + 500;
  const keepAsking = (): void => {
    iteration.run(() => {
      ran.push(performance.now());
      if (performance.now() < end) keepAsking();
    });
  };
  keepAsking();
  while (performance.now() < end) {
    iteration.noteAccepted();
    await new Promise(setImmediate);
  }
  // Were they put off for 5 ms again and again, there would be 200.
  expect(ran.length).toBeGreaterThan(1_000);
});

/** How long tasks wait behind connections that come all the time, after a turn of so many milliseconds and an idle time; the least of three tries. */
async function putOffAfter(busy: number, idle: number): Promise<number> {
  const tries: number[] = [];
  for (let count = 0; count < 3; count++) {
    // What was put off before must not keep this from it.
    await pause(100);
    iteration.run(() => {
      const end = performance.now() + busy;
      while (performance.now() < end);
    });
    await turn();
    if (idle > 0) await pause(idle);
    const start = performance.now();
    const ran: number[] = [];
    iteration.run(() => ran.push(performance.now() - start));
    while (ran.length === 0) {
      iteration.noteAccepted();
      await new Promise(setImmediate);
    }
    tries.push(...ran);
  }
  return Math.min(...tries);
}

test('the longer a turn took, the longer connections are accepted before the next', async () => {
  const short = await putOffAfter(1, 0);
  const long = await putOffAfter(120, 0);
  const veryLong = await putOffAfter(800, 0);
  expect(short).toBeLessThan(15);
  expect(long).toBeGreaterThan(25);
  expect(veryLong).toBeGreaterThan(45);
  // Without a bound it would be 200 ms.
  expect(veryLong).toBeLessThan(150);
});

test('an idle time is no long turn', async () => {
  expect(await putOffAfter(0, 300)).toBeLessThan(15);
});

test('a task that throws is an error that nobody caught, and those behind it run all the same', async () => {
  const module = new URL('../src/event-loop-batch.ts', import.meta.url).href;
  const script = `
    import { EventLoopBatch } from ${JSON.stringify(module)};
    const iteration = new EventLoopBatch();
    process.on('uncaughtException', ({ message }) => console.log('caught', message));
    iteration.run(() => { throw new Error('broken'); });
    iteration.run(() => console.log('behind'));`;
  // In a process of its own, because jest has its own way with such errors.
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('behind\ncaught broken\n');
});

test('the next turn has its own end', async () => {
  const ran: string[] = [];
  iteration.run(() => ran.push('one'));
  await turn();
  iteration.run(() => ran.push('two'));
  expect(ran).toEqual(['one']);
  await turn();
  expect(ran).toEqual(['one', 'two']);
});

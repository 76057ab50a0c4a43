import { beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { EventLoopBatch } from '../../src/http/event-loop-batch.ts';

let iteration: EventLoopBatch;
beforeEach(() => {
  iteration = new EventLoopBatch();
});

test("a task scheduled by a task's promise runs at the same end, after the promises of all others", async () => {
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
  await new Promise((done) => setImmediate(() => setImmediate(done)));
  expect(ran).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'commit']);
});

test('a constant stream of connections does not starve the tasks', async () => {
  const ran: string[] = [];
  iteration.run(() => ran.push('task'));
  for (const end = performance.now() + 5_000; ran.length === 0 && performance.now() < end;) {
    iteration.noteAccepted();
    await new Promise(setImmediate);
  }
  expect(ran).toEqual(['task']);
});

test('an error of a task becomes an uncaught exception, and the next tasks run', async () => {
  const module = new URL('../../src/http/event-loop-batch.ts', import.meta.url).href;
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

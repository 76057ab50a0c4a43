import { beforeEach, expect, test } from '@jest/globals';
import express from 'express';
import { execFile } from 'node:child_process';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { EventLoopBatch } from '../../src/http/event-loop-batch.ts';
import { createServer } from '../../src/http/server.ts';

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

test('connections are accepted before the tasks run, and a constant stream of them does not starve the tasks', async () => {
  const server = createServer(express(), pino({ level: 'silent' }), undefined, { iteration });
  const ran: string[] = [];
  let accepted = 0;
  iteration.run(() => ran.push('task'));
  for (const end = performance.now() + 5_000; ran.length === 0 && performance.now() < end; accepted++) {
    // As if it had come: https://nodejs.org/api/http.html#event-connection
    const socket = new Socket();
    server.emit('connection', socket);
    await new Promise(setImmediate);
    socket.destroy();
  }
  expect(ran).toEqual(['task']);
  expect(accepted).toBeGreaterThan(1);
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

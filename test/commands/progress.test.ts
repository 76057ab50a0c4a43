import { expect, test } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { showProgress } from '../../src/import/progress.ts';

function shown(total: number | undefined, steps: readonly number[]): string {
  const terminal = new PassThrough();
  const progress = showProgress(terminal, 'importing', total);
  for (const step of steps) progress.advance(step);
  progress.end();
  let text = '';
  // Node 26 hands out one chunk at a time; without an encoding each is a Buffer.
  for (let chunk: unknown; (chunk = terminal.read()) !== null;) text += (chunk as Buffer).toString();
  return text;
}

test('progress on a terminal is a bar that is redrawn in its line, full at the end', () => {
  const text = shown(200, [50, 150]);
  expect(text).toMatch(/^\rimporting {2}█{8}░{22} 25 %/);
  expect(text).toMatch(/\rimporting {2}█{30} 100 %\n$/);
});

test('progress of an input of unknown length is a growing count', () => {
  expect(shown(undefined, [50, 150])).toMatch(/^\rimporting +50.*\rimporting +200\n$/);
});

test('progress of nothing is complete', () => {
  expect(shown(0, [])).toMatch(/100 %\n$/);
});

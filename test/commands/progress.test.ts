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

test.each<[what: string, total: number | undefined, steps: number[], text: RegExp]>([
  [
    'is a bar that is redrawn in its line, full at the end',
    200,
    [50, 150],
    /^\rimporting {2}█{8}░{22} 25 %.*\rimporting {2}█{30} 100 %\n$/,
  ],
  ['of an input of unknown length is a growing count', undefined, [50, 150], /^\rimporting +50.*\rimporting +200\n$/],
  ['of nothing is complete', 0, [], /100 %\n$/],
])('progress on a terminal %s', (_what, total, steps, text) => {
  expect(shown(total, steps)).toMatch(text);
});

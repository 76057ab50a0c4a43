import { expect, test } from '@jest/globals';
import { watchLog } from './log-watch.ts';
import { showBytes } from './violation.ts';

const TOKEN = `plant_${'v'.repeat(33)}`;

test('a log with an error, a token or a line that is no JSON is objected to', () => {
  const read = (line: string): string | undefined => {
    const log = watchLog();
    log.forbid([TOKEN]);
    log.read(line);
    return log.objection();
  };
  expect(read('{"level":30,"msg":"request"}')).toBeUndefined();
  expect(read('{"level":50,"msg":"x"}')).toContain('has an error');
  expect(read(`{"level":30,"msg":"${TOKEN}"}`)).toContain('holds a token');
  expect(read('hello')).toContain('no JSON object');
});

test('bytes are shown on one line, so that they can be told from each other', () => {
  expect(showBytes(Buffer.from('a\\\r\n\xff~', 'latin1'))).toBe('a\\x5c\\x0d\\x0a\\xff~');
});

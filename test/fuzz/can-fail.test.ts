import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { casesOf } from './cases.ts';
import { checkExchange } from './check-exchange.ts';
import { idsIn, neighbourOf, placeOf, plantsOfCases, targetOf } from './ids.ts';
import { createJudge } from './judge.ts';
import { watchLog } from './log-watch.ts';
import { StoreModel } from './model.ts';

// The fuzzer is worth its time only if it can fail: each kind of broken promise is shown to it.
const TOKENS = { valid: `plant_${'v'.repeat(33)}`, revoked: `plant_${'r'.repeat(33)}` };
const judge = createJudge(await loadContract(new URL('../../openapi.yaml', import.meta.url)), [TOKENS.valid]);

const HEADERS = [
  'Cache-Control: no-store',
  "Content-Security-Policy: frame-ancestors 'none'",
  'X-Content-Type-Options: nosniff',
];

function response(status: string, headers: readonly string[] = [], body?: string): string {
  const content =
    body === undefined
      ? []
      : ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
  return [`HTTP/1.1 ${status}`, ...HEADERS, ...content, ...headers, '', body ?? ''].join('\r\n');
}

function failure(status: string, code: number, message = 'This is wrong.', headers: readonly string[] = []): string {
  return response(status, headers, JSON.stringify({ error: code, message }));
}

const GONE = response('204 No Content');
const MISSING = failure('404 Not Found', 40401);
const REFUSED = failure('401 Unauthorized', 40100, 'This is wrong.', ['WWW-Authenticate: Bearer realm="plant-store"']);

/** The fuzzer's objection to these responses on a connection that the server has closed. */
function objection(received: string, expected?: readonly number[]): string | undefined {
  const sent = [Buffer.from('DELETE / HTTP/1.1')];
  const one = { index: 0, pieces: sent, pause: 0, ending: 'sentinel', mayDelete: new Set<bigint>(), expected } as const;
  return checkExchange(one, { received: Buffer.from(received), outcome: 'closed' }, judge).problem;
}

test('responses of the contract pass', () => {
  expect(objection(GONE + MISSING + REFUSED, [204, 404, 401])).toBeUndefined();
});

test.each([
  ['no response', '', 'there is no answer'],
  ['no HTTP', 'hello\r\n\r\n', 'this is no status line'],
  ['a truncated response', MISSING.slice(0, -1), 'breaks off'],
  ['an undeclared status', failure('402 Payment Required', 40200), 'no such status'],
  ['500', failure('500 Internal Server Error', 50000), 'nothing but the requests was out of order'],
  ['401 without a challenge', failure('401 Unauthorized', 40100), 'it has no www-authenticate'],
  ['an error code of another status', failure('404 Not Found', 40001), 'its error code is 40001'],
  ['a body that is not JSON', response('404 Not Found', [], '{nonsense'), 'its body is no Error object'],
  ['a stack trace', failure('400 Bad Request', 40000, 'It broke at run (app.js:1).'), 'something of the inside'],
  ['a token', failure('400 Bad Request', 40000, `No ${TOKENS.valid}.`), 'it holds a token'],
  ['a missing security header', MISSING.replace('nosniff', 'sniff'), 'it has no x-content-type-options'],
  ['a split header', MISSING.replace('nosniff', 'nosniff\nX: y'), 'this is no header'],
])('the fuzzer objects to %s', (_name, received, problem) => {
  expect(objection(received)).toContain(problem);
});

test('the fuzzer objects to another status than the certain one', () => {
  expect(objection(GONE + GONE, [204, 404])).toContain('204, 404 were to be expected');
});

/**
 * The discrepancies when case 1 of 3 has asked for its target of slot 0, and these plants are gone.
 */
function discrepancies(gone: readonly bigint[], deleted: number, isCertain = true): number[] {
  const model = new StoreModel();
  model.note({ index: 1, mayDelete: new Set([targetOf(1, 0)]) }, deleted, isCertain);
  const left = [...plantsOfCases(0, 3)].filter((id) => !gone.includes(id));
  return model.compare(left, 3).map(({ index }) => index);
}

test('a store passes when exactly the acknowledged deletes were done, or when the response was lost', () => {
  expect(discrepancies([targetOf(1, 0)], 1)).toEqual([]);
  expect(discrepancies([], 0)).toEqual([]);
  expect(discrepancies([targetOf(1, 0)], 0, false)).toEqual([]);
});

test.each([
  ['a plant is gone without a 204', [targetOf(1, 0)], 0, 1],
  ['a plant is there after a 204', [], 1, 1],
  ['the neighbour is gone', [neighbourOf(1, 0)], 1, 1],
  ['a plant of another case is gone', [targetOf(2, 3)], 0, 2],
] as const)('the fuzzer objects to a store in which %s', (_name, gone, deleted, guilty) => {
  expect(discrepancies(gone, deleted)).toContain(guilty);
});

test('the fuzzer objects to a log with an error, a token or a line that is not JSON', () => {
  const read = (line: string): string | undefined => {
    const log = watchLog();
    log.forbid([TOKENS.valid]);
    log.read(line);
    return log.objection();
  };
  expect(read('{"level":30,"msg":"request"}')).toBeUndefined();
  expect(read('{"level":50,"msg":"x"}')).toContain('has an error');
  expect(read(`{"level":30,"msg":"${TOKENS.valid}"}`)).toContain('holds a token');
  expect(read('hello')).toContain('no JSON object');
});

test('a seed draws the same cases again, which name only their own targets together with the valid token', () => {
  const [first, again] = [casesOf(1, TOKENS), casesOf(1, TOKENS)];
  expect(again(500)).toEqual(first(500));
  const drawn = Array.from({ length: 1_000 }, (_, index) => first(index)).filter((one) => one !== undefined);
  const authorised = drawn
    .map(({ index, pieces }) => ({ index, bytes: Buffer.concat(pieces) }))
    .filter(({ bytes }) => bytes.includes(TOKENS.valid));
  expect(authorised.length).toBeGreaterThan(200);
  const foreign = authorised.flatMap(({ index, bytes }) =>
    idsIn(bytes)
      .map(placeOf)
      .filter((place) => place !== undefined && !(place.isTarget && place.index === index)),
  );
  expect(foreign).toEqual([]);
});

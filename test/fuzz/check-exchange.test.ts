import { describe, expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { checkExchange } from './check-exchange.ts';
import { createJudge } from './judge.ts';
import { parseResponses } from './responses.ts';

const TOKEN = `plant_${'v'.repeat(33)}`;
const judge = createJudge(await loadContract(new URL('../../openapi.yaml', import.meta.url)), [TOKEN]);

const HEADERS = [
  'Cache-Control: no-store',
  "Content-Security-Policy: frame-ancestors 'none'",
  'X-Content-Type-Options: nosniff',
];

/** A response as the server writes it; the headers given last take the place of those above of the same name. */
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

const CHALLENGE = 'WWW-Authenticate: Bearer realm="plant-store"';
const GONE = response('204 No Content');
const MISSING = failure('404 Not Found', 40401);
const REFUSED = failure('401 Unauthorized', 40100, 'This is wrong.', [CHALLENGE]);

/** What the fuzzer says of these answers on a connection that the server has closed. */
function objection(
  received: string,
  { sent = 'DELETE / HTTP/1.1', expected }: { sent?: string; expected?: readonly number[] } = {},
): string | undefined {
  const one = {
    index: 0,
    pieces: [Buffer.from(sent)],
    pause: 0,
    ending: 'sentinel',
    mayDelete: new Set<bigint>(),
    expected,
  } as const;
  return checkExchange(one, { received: Buffer.from(received), outcome: 'closed' }, judge).problem;
}

describe('an answer', () => {
  test.each([
    ['204', GONE],
    ['404', MISSING],
    ['401 with a challenge', REFUSED],
    ['several', GONE + MISSING + REFUSED],
    ['405 with Allow', failure('405 Method Not Allowed', 40500, "'x' is wrong.", ['Allow: DELETE'])],
    ['with characters beyond ASCII', failure('400 Bad Request', 40002, "The query parameter 'é€' is wrong.")],
  ])('that the contract has is accepted: %s', (_name, received) => {
    expect(objection(received)).toBeUndefined();
  });

  test.each([
    ['none', '', 'there is no answer'],
    ['no HTTP', 'hello\r\n\r\n', 'this is no status line'],
    ['one that breaks off', MISSING.slice(0, -1), 'breaks off'],
    ['a status that the contract has not', failure('402 Payment Required', 40200), 'no such status'],
    ['a success without deletion', response('200 OK', [], '{}'), 'no such status'],
    ['500', failure('500 Internal Server Error', 50000), 'nothing but the requests was out of order'],
    ['204 with content', `${GONE.slice(0, -2)}Content-Length: 2\r\n\r\n{}`, '204 has a Content-Length'],
    ['401 without a challenge', failure('401 Unauthorized', 40100), 'it has no www-authenticate'],
    ['405 without Allow', failure('405 Method Not Allowed', 40500), 'it has no allow'],
    ['an error code of another status', failure('404 Not Found', 40001), 'its error code is 40001'],
    ['a body that is no JSON', response('404 Not Found', [], '{nonsense'), 'its body is no Error object'],
    ['a page', response('404 Not Found', [], '<html>'), 'the body is no JSON object'],
    [
      'an Error object with more',
      response('404 Not Found', [], '{"error":40401,"message":"A.","at":1}'),
      'further fields',
    ],
    ['a message on two lines', failure('404 Not Found', 40401, 'A\nb.'), 'no sentence on one line'],
    ['a stack trace', failure('400 Bad Request', 40000, 'It broke at run (app.js:1).'), 'something of the inside'],
    ['a file', failure('400 Bad Request', 40000, 'No /srv/dist/app here.'), 'something of the inside'],
    ['a token', failure('400 Bad Request', 40000, `No ${TOKEN}.`), 'it holds a token'],
    ['no nosniff', MISSING.replace('nosniff', 'sniff'), 'it has no x-content-type-options'],
    ['what made it', failure('404 Not Found', 40401, 'A.', ['X-Powered-By: Express']), 'what the server is made of'],
    ['a length twice', MISSING.replace('Content-Length', 'Content-Length: 1\r\nContent-Length'), 'is there twice'],
    ['a split header', MISSING.replace('nosniff', 'nosniff\nX: y'), 'this is no header'],
    ['100 that nobody asked for', `HTTP/1.1 100 Continue\r\n\r\n${GONE}`, 'nobody expected it'],
    ['no body, but a length', MISSING.slice(0, MISSING.indexOf('{')), 'it has no body'],
  ])('that the contract has not is refused: %s', (_name, received, problem) => {
    expect(objection(received)).toContain(problem);
  });

  test('without the body that it announces is one to HEAD', () => {
    const head = failure('405 Method Not Allowed', 40500, 'A.', ['Allow: DELETE']);
    expect(objection(head.slice(0, head.indexOf('{')) + GONE, { sent: 'HEAD / HTTP/1.1' })).toBeUndefined();
    expect(parseResponses(Buffer.from(head.slice(0, head.indexOf('{')) + GONE)).responses).toHaveLength(2);
  });

  test('other than the one that is certain is refused', () => {
    expect(objection(GONE + MISSING, { expected: [204, 404] })).toBeUndefined();
    expect(objection(GONE + GONE, { expected: [204, 404] })).toContain('204, 404 were to be expected');
    expect(objection(GONE, { expected: [204, 404] })).toContain('204, 404 were to be expected');
  });
});

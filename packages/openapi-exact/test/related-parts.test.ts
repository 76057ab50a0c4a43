import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import { BODY_LIMITS } from '../src/bodies/limits.ts';
import type { Part } from '../src/bodies/part-readers.ts';
import type { Reason } from '../src/errors/errors.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { refused, type Answer, type ContractServer } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';

const binary = { type: 'string', format: 'binary' };
const session = { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } };
const properties = {
  jsonData: session,
  note: { type: 'string', maxLength: 4 },
  message: binary,
  first: binary,
  second: binary,
};
/** As 3GPP writes it, in TS 29.502 for one. */
const encoding = {
  jsonData: { contentType: 'application/json' },
  message: { contentType: 'application/vnd.3gpp.5gnas', headers: { 'Content-Id': { schema: { type: 'string' } } } },
  first: { contentType: 'application/vnd.3gpp.ngap' },
  second: { contentType: 'application/vnd.3gpp.ngap' },
};
const related = { schema: { type: 'object', required: ['jsonData'], properties }, encoding };
const responses = { 204: { description: 'Done.' } };

let server: ContractServer;
let parts: object[] | undefined;
beforeAll(async () => {
  const post = { requestBody: { required: true, content: { 'multipart/related': related } }, responses };
  server = await serveDocument({ paths: { '/sessions': { post } } }, handle);
});
afterAll(() => server.close());
beforeEach(() => (parts = undefined));

async function handle(request: never): Promise<ResponseValue> {
  parts = [];
  for await (const { name, value, body } of (request as { body: AsyncIterable<Part> }).body) {
    parts.push(body === undefined ? { name, value } : { name, file: (await text(body)).slice(0, 4) });
  }
  return { status: 204 };
}

/** Sends parts that have no Content-Disposition. */
function send(...sent: readonly (readonly [headers: string, content: string])[]): Promise<Answer> {
  const written = sent.map(([headers, content]) => `--b\r\n${headers}\r\n\r\n${content}\r\n`);
  const headers = { 'Content-Type': 'multipart/related; boundary=b; type="application/json"' };
  return server.request('POST', '/sessions', { headers, body: `${written.join('')}--b--\r\n` });
}

const JSON_TYPE = 'Content-Type: application/json';
/** A part without a Content-Type is a text. */
const TEXT = 'X-Own: yes';
const NAS = 'Content-Type: application/vnd.3gpp.5gnas\r\nContent-Id: n1';
const NGAP = 'Content-Type: application/vnd.3gpp.ngap\r\nContent-Id:';

describe.each([
  ['a small body', 'NAS.'],
  ['a body that is streamed', 'NAS.'.repeat(BODY_LIMITS.buffered / 4 + 1)],
])('the parts without names of %s', (_what, message) => {
  test('are the properties that have their media type, or that their Content-ID names', async () => {
    const [first, second] = [`${NGAP} <second>`, `${NGAP} n2`] as const;
    const sent = send(
      [JSON_TYPE, '{"id":9007199254740993}'],
      [NAS, message],
      [TEXT, 'abcd'],
      [first, 'N'],
      [second, 'N'],
    );
    expect((await sent).status).toBe(204);
    expect(parts).toEqual([
      { name: 'jsonData', value: { id: 9007199254740993n } },
      { name: 'message', file: 'NAS.' },
      { name: 'note', value: 'abcd' },
      { name: 'second', file: 'N' },
      // It may be the first or the second.
      { name: '', file: 'N' },
    ]);
  });

  test.each<[what: string, reason: Reason, sent: readonly (readonly [string, string])[]]>([
    ['the schema of JSON refuses', 'invalidBody', [[JSON_TYPE, '{"id":"1"}']]],
    ['are malformed JSON', 'malformedBody', [[JSON_TYPE, '{']]],
    [
      'the schema of a text refuses',
      'invalidBody',
      [
        [JSON_TYPE, '{"id":1}'],
        [TEXT, 'abcde'],
      ],
    ],
    ['lack a required property', 'invalidBody', []],
    [
      'repeat a property',
      'invalidBody',
      [
        [JSON_TYPE, '{"id":1}'],
        [JSON_TYPE, '{"id":1}'],
      ],
    ],
  ])('are refused when they %s', async (_case, reason, sent) => {
    expect(await send([NAS, message], ...sent)).toMatchObject(refused(reason));
  });
});

describe('the parts of a property with a style of encoding', () => {
  const int64 = { type: 'integer', format: 'int64' };
  const body = {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['about'],
      properties: {
        about: { type: 'object', required: ['height'], properties: { height: int64, open: { type: 'boolean' } } },
        list: { type: 'array', items: int64, maxItems: 2 },
        file: binary,
      },
    },
    encoding: { about: { style: 'deepObject', explode: true }, list: { style: 'form', explode: true } },
  };
  let forms: ContractServer;
  beforeAll(async () => {
    const post = { requestBody: { required: true, content: { 'multipart/form-data': body } }, responses };
    forms = await serveDocument({ paths: { '/forms': { post } } }, handle);
  });
  afterAll(() => forms.close());

  async function sendForm(
    ...sent: readonly (readonly [name: string, content: string, more?: string])[]
  ): Promise<Answer> {
    const written = sent.map(
      ([name, content, more = '']) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${content}\r\n`,
    );
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    return forms.request('POST', '/forms', { headers, body: `${written.join('')}--b--\r\n` });
  }

  const height = ['about[height]', '9007199254740993'] as const;

  test.each([
    ['a small body', 'NAS.'],
    ['a body that is streamed', 'NAS.'.repeat(BODY_LIMITS.buffered / 4 + 1)],
  ])('reach the handler as one part with a value, in %s', async (_what, content) => {
    const open = ['about[open]', 'true', 'Content-Type: application/json\r\n'] as const;
    const sent = await sendForm(height, ['file', content], open, ['list', '1'], ['list', '2']);
    expect(sent.status).toBe(204);
    expect(parts).toEqual([
      { name: 'file', file: 'NAS.' },
      { name: 'list', value: 1n },
      { name: 'list', value: 2n },
      { name: 'about', value: { height: 9007199254740993n, open: true } },
    ]);
  });

  test.each([
    ['are missing', []],
    ['lack a property', [['about[open]', 'true'] as const]],
    ['are of another type', [['about[height]', 'tall'] as const]],
    ['are of another style', [['about', '{"height":1}'] as const]],
    ['are JSON', [['about', '{"height":1}', 'Content-Type: application/json\r\n'] as const]],
    ['are too many', [height, ['list', '1'] as const, ['list', '2'] as const, ['list', '3'] as const]],
    ['belong to nothing', [height, ['other[a]', '1'] as const]],
  ])('are refused when they %s', async (_case, sent) => {
    expect(await sendForm(...sent)).toMatchObject(refused('invalidBody'));
    expect(parts).toBeUndefined();
  });
});

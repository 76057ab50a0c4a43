import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFiles } from 'test-support/contract-files.ts';
import { ConfigurationError, loadContract, type ContractSource } from '../src/index.ts';
import { serveMiddleware } from './support/serve-middleware.ts';

/** A contract in two files: the second has the integer that no double holds. */
const FILES = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things/{id}:
    $ref: ./parts/paths.yaml#/thing
`,
  'parts/paths.yaml': `thing:
  get:
    operationId: getThing
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, maximum: 9007199254740993 } }
    responses:
      200: { description: Found., content: { application/json: { schema: { type: integer, format: int64 } } } }
      default: { description: Failed. }
`,
};

/** The same contract as an object. */
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', maximum: 9007199254740993n } },
        ],
        responses: {
          200: {
            description: 'Found.',
            content: { 'application/json': { schema: { type: 'integer', format: 'int64' } } },
          },
          default: { description: 'Failed.' },
        },
      },
    },
  },
};

/** Asks for the largest id and for the one above it. */
async function answers(source: ContractSource): Promise<readonly [status: number, text: string][]> {
  const handlers = { getThing: ({ params: { id } }: { params: { id: bigint } }) => ({ status: 200, body: id }) };
  const { port, close } = await serveMiddleware({
    contract: await loadContract(source),
    handlers,
    errorBody: () => undefined,
  });
  const urls = ['9007199254740993', '9007199254740994'].map((id) => `http://127.0.0.1:${port}/things/${id}`);
  const responses = await Promise.all(urls.map(async (url) => fetch(url)));
  const all = await Promise.all(
    responses.map(async (response): Promise<[number, string]> => [response.status, await response.text()]),
  );
  await close();
  return all;
}

const EXPECTED = [
  [200, '9007199254740993'],
  [400, ''],
];

test.each<[what: string, source: (url: URL) => ContractSource | Promise<ContractSource>]>([
  ['the URL of a file', (url) => url],
  ['the URL of a file as a text', (url) => url.href],
  ['the path of a file', (url) => fileURLToPath(url)],
  ['a path from the working folder', (url) => relative(process.cwd(), fileURLToPath(url))],
  ['a text with the URL of its file', async (url) => ({ text: await readFile(url, 'utf8'), url })],
  ['a text with the path of its file', async (url) => ({ text: await readFile(url, 'utf8'), url: fileURLToPath(url) })],
  ['a document', () => DOCUMENT],
  [
    'a text without a file',
    () => ({
      text: JSON.stringify(DOCUMENT, (_key, value: unknown) => (typeof value === 'bigint' ? 'BIG' : value)).replace(
        '"BIG"',
        '9007199254740993',
      ),
      url: undefined,
    }),
  ],
])('a contract is read from %s, exact to the last digit', async (_what, source) => {
  expect(await withFiles(FILES, async (url) => answers(await source(url)))).toEqual(EXPECTED);
});

test('a document is not changed, and may be given again', async () => {
  const before = structuredClone(DOCUMENT);
  await loadContract(DOCUMENT);
  expect(DOCUMENT).toEqual(before);
  expect((await loadContract(DOCUMENT)).operations).toHaveLength(1);
});

const WRONG = {
  openapi: '3.1.0',
  info: {},
  paths: { '/a/b': { get: { responses: {}, parameters: [{ name: 'a' }] } } },
};

test.each<[what: string, source: ContractSource, place: string]>([
  ['a text', { text: JSON.stringify(WRONG, undefined, 2) }, 'contract:9:'],
  ['a text of a file', { text: JSON.stringify(WRONG, undefined, 2), url: 'api/a.json' }, 'api/a.json:9:'],
  ['a document', WRONG, 'contract#/paths/~1a~1b/get/parameters/0: error: '],
])('a mistake in %s is named with its place', async (_what, source, place) => {
  await expect(loadContract(source)).rejects.toThrow(place);
});

const circular: Record<string, unknown> = { openapi: '3.1.0', info: {}, paths: {} };
circular['components'] = circular;

test.each<[source: unknown, message: string]>([
  [undefined, '{ text } or a document, not undefined'],
  [5, 'not 5'],
  [new URL('https://example.com/openapi.yaml'), "'https://example.com/openapi.yaml' is not a file"],
  ['https://example.com/openapi.yaml', 'as { text }'],
  [{ text: 'a', url: 5 }, 'not 5'],
  [circular, 'The contract cannot be written as JSON: '],
  ['missing.yaml', 'The contract missing.yaml cannot be read: ENOENT'],
])('anything else is refused with what is right: %p', async (source, message) => {
  const refusal = loadContract(source as ContractSource);
  await expect(refusal).rejects.toThrow(message);
  await expect(refusal).rejects.toBeInstanceOf(ConfigurationError);
});

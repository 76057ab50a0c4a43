import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { createServer } from 'node:http';
import type { Contract, Operation } from '../src/document/read-contract.ts';
import { ConfigurationError, messageOf } from '../src/errors/errors.ts';
import { ContractError } from '../src/errors/diagnostic.ts';
import { reviewContract } from 'openapi-exact-cli';
import type { ErrorBody } from '../src/server/error-body.ts';
import type { Failure } from '../src/server/options.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { withFiles } from 'test-support/contract-files.ts';

const CLOSED = 'type: object, additionalProperties: false';

/** A contract in which each operation declares the schema of its 400. */
function contractText(schemas: Readonly<Record<string, string>>, mediaType = 'application/json'): string {
  const paths = Object.entries(schemas).map(
    ([id, schema]) => `  /${id}:
    get:
      operationId: ${id}
      tags: [things, ${id}]
      x-area: area of ${id}
      responses:
        '200': { description: It. }
        '400': { description: No., content: { ${mediaType}: { schema: ${schema} } } }
        '5XX': { description: No. }
`,
  );
  return `openapi: 3.1.0\ninfo: { title: Failures, version: 1.0.0 }\npaths:\n${paths.join('')}`;
}

function contractOf(schemas: Readonly<Record<string, string>>, mediaType?: string): Promise<Contract> {
  return withFiles({ 'openapi.yaml': contractText(schemas, mediaType) }, loadContract);
}

let served: Listening | undefined;
afterEach(() => served?.close());

/** The message of the last refusal. */
let message = '';

type Answer = readonly [status: number, type: string | null, text: string];

/** Serves a contract. @returns each operation's answer to a request that all of them refuse. */
async function refusalsOf(contract: Contract, errorBody?: ErrorBody): Promise<readonly Answer[]> {
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => ({ status: 200 })]));
  const app = express();
  const onError = ({ refusal }: Failure): void => {
    if (refusal.reason === 'unknownQueryParameter') message = refusal.message;
  };
  app.use(await contractMiddleware({ contract, handlers, errorBody, onError, fallthrough: false }));
  served = await listen(createServer(app));
  const answers: Answer[] = [];
  for (const path of [...contract.operations.map(({ id }) => id), 'nowhere']) {
    const response = await fetch(`${served.url}/${path}?x=1`);
    const type = response.headers.get('Content-Type');
    answers.push([response.status, type, await response.text()]);
  }
  return answers;
}

/** The lines of the error with which a contract does not start. */
async function linesOf(contract: Contract, errorBody?: ErrorBody): Promise<readonly string[]> {
  const start = refusalsOf(contract, errorBody);
  await expect(start).rejects.toThrow(ConfigurationError);
  return start.then(
    () => [],
    (error: unknown) => messageOf(error).split('\n'),
  );
}

describe('errorBody', () => {
  test('makes the body as each operation declares it, and is told which one a request is for', async () => {
    const contract = await contractOf({
      listThings: `{ ${CLOSED}, required: [code], properties: { code: { type: string, pattern: '^[A-Z]+$' } } }`,
      getThing: `{ ${CLOSED}, required: [fault], properties: { fault: { type: string, pattern: '^[A-Z]+$' } } }`,
    });
    const told: (Operation | undefined)[] = [];
    const errorBody: ErrorBody = (_error, _mediaTypes, operation) => {
      told.push(operation);
      return {
        contentType: 'application/json',
        body: { [operation?.id === 'getThing' ? 'fault' : 'code']: 'REFUSED' },
      };
    };
    expect(await refusalsOf(contract, errorBody)).toEqual([
      [400, 'application/json; charset=utf-8', '{"code":"REFUSED"}'],
      [400, 'application/json; charset=utf-8', '{"fault":"REFUSED"}'],
      [404, 'application/json; charset=utf-8', '{"code":"REFUSED"}'],
    ]);
    expect(told.slice(-3)).toEqual([...contract.operations, undefined]);
    expect(told.at(-2)).toMatchObject({
      id: 'getThing',
      method: 'GET',
      path: '/getThing',
      tags: ['things', 'getThing'],
      'x-area': 'area of getThing',
    });
  });

  test.each<[string, unknown]>([
    ['another object', { message: 'No.' }],
    ['a text', 'No.'],
    ['a promise', Promise.resolve()],
    ['no body', { contentType: 'application/json' }],
  ])('that returns %s stops the start with the form that it must return', async (_what, returned) => {
    const contract = await contractOf({ getThing: '{ type: object }' });
    const lines = await linesOf(contract, (() => returned) as never);
    expect(lines.join()).toContain('{ contentType, body }');
  });

  test('that fails where no operation matches stops the start', async () => {
    const contract = await contractOf({ getThing: '{ type: object }' });
    const errorBody: ErrorBody = (_error, _types, operation) => {
      if (operation === undefined) throw new Error('The function forgets other paths.');
      return undefined;
    };
    expect((await linesOf(contract, errorBody)).join()).toContain('The function forgets other paths.');
  });
});

describe('without errorBody a failure', () => {
  test.each<[string, string, () => unknown]>([
    [
      'is problem details where the schema allows them',
      '{ type: object }',
      () => ({
        ...{ title: 'Bad Request', status: 400, detail: message, reason: 'unknownQueryParameter' },
        errors: [{ detail: message, in: 'query', pointer: 'x' }],
      }),
    ],
    [
      'has the message in required texts and the status in required integers',
      `{ type: object, required: [message, code], properties: { message: { type: string }, code: { type: integer }, hint: { type: string } } }`,
      () => ({ message, code: 400 }),
    ],
    [
      'has an exact status where the contract says int64',
      `{ ${CLOSED}, required: [code], properties: { code: { type: integer, format: int64 } } }`,
      () => ({ code: 400 }),
    ],
    [
      'is made inside of objects and lists, with constants as they are',
      `{ ${CLOSED}, required: [success, error], properties: { success: { const: false }, error: { type: object, required: [reasons], properties: { reasons: { type: array, items: { type: object, required: [message], properties: { message: { type: string, maxLength: 8 } } } } } } } }`,
      () => ({ success: false, error: { reasons: [{ message: message.slice(0, 8) }] } }),
    ],
    [
      'is the first alternative that can be made',
      `{ oneOf: [{ ${CLOSED}, required: [kind], properties: { kind: { enum: [a, b] } } }, { ${CLOSED}, required: [error], properties: { error: { type: string } } }] }`,
      () => ({ error: message }),
    ],
    [
      'has the constant that names it',
      `{ ${CLOSED}, required: [code], properties: { code: { enum: [NOT_FOUND, BAD_REQUEST] } } }`,
      () => ({ code: 'BAD_REQUEST' }),
    ],
  ])('%s', async (_what, schema, body) => {
    const [refusal] = await refusalsOf(await contractOf({ getThing: schema }));
    expect(refusal?.slice(0, 1)).toEqual([400]);
    expect(JSON.parse(refusal?.[2] ?? '')).toEqual(body());
  });

  test.each([
    ['text/plain', () => message],
    ['text/html', () => `<p>${message}</p>`],
  ])('is a text where the contract declares %s', async (mediaType, text) => {
    const [refusal] = await refusalsOf(await contractOf({ getThing: '{ type: string }' }, mediaType));
    expect(refusal).toEqual([400, `${mediaType}; charset=utf-8`, text()]);
  });

  test('that cannot be made stops the start with every place, status and what the schema asks for', async () => {
    const contract = await contractOf({
      listThings: '{ type: object, required: [code], properties: { code: { enum: [late, early] } } }',
      getThing: '{ type: array, minItems: 2 }',
      putThing: '{ type: object }',
    });
    const lines = await linesOf(contract);
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(/openapi\.yaml:5: .*listThings.* 400 .*\/code/),
      expect.stringMatching(/openapi\.yaml:14: .*getThing.* 400 /),
    ]);
    expect(lines.at(-1)).toContain('errorBody');
  });
});

/** Traits of the error bodies of public contracts: by operation, and the body that it gets. */
const PUBLIC: Readonly<Record<string, readonly [schema: string, body: () => unknown]>> = {
  'GitHub, whose bodies have an address, or a text as status': [
    '{ anyOf: [{ type: object, required: [message, documentation_url, errors], properties: { message: { type: string }, documentation_url: { type: string, format: uri }, errors: { type: array, items: { type: string } } } }] }',
    () => ({ message, documentation_url: 'about:blank', errors: [message] }),
  ],
  'GitHub, whose bodies for SCIM have lists': [
    '{ type: object, required: [schemas, status], properties: { schemas: { type: array, items: { type: string } }, status: { type: integer }, detail: { type: [string, "null"] } } }',
    () => ({ schemas: [message], status: 400, detail: message }),
  ],
  'WorkOS, whose bodies have a constant code': [
    '{ type: object, required: [code, message], properties: { code: { const: invalid_request }, message: { type: string } } }',
    () => ({ code: 'invalid_request', message }),
  ],
  'Zuora, whose bodies say that there was no success': [
    `{ ${CLOSED}, required: [success, reasons], properties: { success: { type: boolean }, processId: { type: string }, reasons: { type: array, minItems: 1, items: { type: object, required: [code, message], properties: { code: { type: integer, format: int64 }, message: { type: string } } } } } }`,
    () => ({ success: false, reasons: [{ code: 400, message }] }),
  ],
};

test('a whole contract with error bodies that exclude each other starts, and answers each as declared', async () => {
  const schemas = Object.values(PUBLIC).map(([schema], index): [string, string] => [`operation${index}`, schema]);
  const answers = await refusalsOf(await contractOf(Object.fromEntries(schemas)));
  expect(answers.slice(0, -1).map(([status, , text]): unknown => [status, JSON.parse(text)])).toEqual(
    Object.values(PUBLIC).map(([, body]) => [400, body()]),
  );
});

test.each([
  ['not: {}', '{ not: {} }'],
  ['false', 'false'],
  ['types that exclude each other', '{ allOf: [{ type: object }, { type: array }] }'],
  [
    'a required property with constants that exclude each other',
    '{ allOf: [{ type: object, required: [success], properties: { success: { enum: [true] } } }, { type: object, properties: { success: { const: false } } }] }',
  ],
])('a 400 that no value fits, by %s, is named by check and by the start', async (_what, schema) => {
  const text = contractText({ getThing: schema });
  const [review, contract] = await withFiles({ 'openapi.yaml': text }, async (file) => [
    await reviewContract(file),
    await loadContract(file),
  ]);
  expect(review.errors).toEqual([
    expect.objectContaining({ line: 11, message: expect.stringMatching(/^no value fits the body of 400/) }),
  ]);
  await expect(refusalsOf(contract)).rejects.toThrow(ContractError);
});

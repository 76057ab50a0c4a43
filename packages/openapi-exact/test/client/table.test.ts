import { expect, test } from '@jest/globals';
import { clientShapes } from 'openapi-exact-cli';
import { loadContract } from '../../src/server/load-contract.ts';
import { withFiles } from 'test-support/contract-files.ts';

const int64 = { type: 'integer', format: 'int64' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

/** The table that is generated for a contract with these paths. */
async function tableOf(paths: object, rest: object = {}): Promise<unknown> {
  const document = { openapi: '3.1.0', info: { title: 'Table', version: '1.0.0' }, paths, ...rest };
  const module = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, async (file) =>
    clientShapes(await loadContract(file)),
  );
  return JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '');
}

test('the table says where int64s are, in parameters, bodies and errors, and how parameters are written', async () => {
  const query = (name: string, rest: object): object => ({ name, in: 'query', ...rest });
  const list = { type: 'array', items: { type: 'string' } };
  const get = {
    operationId: 'get',
    parameters: [
      query('id', { schema: int64 }),
      query('plain', { schema: list }),
      query('piped', { schema: list, style: 'pipeDelimited' }),
      query('listed', { schema: list, explode: false }),
      query('deep', { schema: { type: 'object' }, style: 'deepObject', explode: true }),
      query('filter', json({ type: 'object' })),
    ],
    responses: {
      200: { description: 'One.', ...json({ type: 'array', items: int64 }) },
      404: { description: 'None.' },
      default: { description: 'Other.', ...json({ type: 'object', properties: { id: int64 } }) },
    },
  };
  expect(await tableOf({ '/a': { get } })).toEqual({
    operations: {
      'GET /a': {
        parameters: { query: { id: { numbers: 'int64' } } },
        styles: {
          query: {
            piped: { style: 'pipeDelimited', explode: false },
            listed: { style: 'form', explode: false },
            deep: { style: 'deepObject', explode: true },
            filter: 'json',
          },
        },
        body: {},
        responses: {
          200: { 'application/json': { items: { numbers: 'int64' } } },
          404: {},
          DEFAULT: { 'application/json': { properties: { id: { numbers: 'int64' } } } },
        },
      },
    },
    schemas: {},
  });
});

test('the table has media types other than JSON, and the media types of errors', async () => {
  const put = {
    operationId: 'put',
    requestBody: { content: { 'image/png': {} } },
    responses: {
      200: { description: 'A text.', content: { 'text/plain': {}, 'application/json': {} } },
      202: { description: 'Nothing.' },
      204: { description: 'Nothing.' },
      304: { description: 'Nothing.', ...json({ type: 'object' }) },
      400: { description: 'Wrong.', ...json({ type: 'object' }) },
    },
  };
  expect(await tableOf({ '/a': { put } })).toEqual({
    operations: {
      'PUT /a': {
        parameters: {},
        body: { 'image/png': {} },
        responses: {
          ...{ 200: { 'application/json': {}, 'text/plain': {} }, 202: {}, 204: {}, 304: {} },
          400: { 'application/json': {} },
        },
      },
    },
    schemas: {},
  });
});

test('the table says which credentials an operation needs, and how they are sent', async () => {
  const responses = { 204: { description: 'Nothing.' } };
  const securitySchemes = {
    token: { type: 'oauth2', flows: {} },
    password: { type: 'http', scheme: 'BASIC' },
    custom: { type: 'http', scheme: 'Custom-1.0' },
    key: { type: 'apiKey', in: 'query', name: 'api_key' },
    certificate: { type: 'mutualTLS' },
  };
  const paths = {
    '/a': { get: { responses }, put: { security: [{}, { key: [], custom: [] }, { password: [] }], responses } },
    '/b': { get: { security: [], responses } },
  };
  const rest = { parameters: {}, body: {}, responses: { 204: {} } };
  expect(await tableOf(paths, { components: { securitySchemes }, security: [{ token: [] }] })).toEqual({
    operations: {
      'GET /a': { ...rest, security: [['token']] },
      'PUT /a': { ...rest, security: [['key', 'custom'], ['password']] },
      'GET /b': rest,
    },
    schemas: {},
    securitySchemes: {
      token: { scheme: 'Bearer' },
      password: { scheme: 'Basic' },
      custom: { scheme: 'Custom-1.0' },
      key: { in: 'query', name: 'api_key' },
    },
  });
});

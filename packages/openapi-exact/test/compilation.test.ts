import { afterEach, expect, jest, test } from '@jest/globals';
import type { Failure } from '../src/server/options.ts';
import { refused, serveContract } from './support/contract-server.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { serveDocument } from './support/inline-contract.ts';

const LINKS = 400;
/** The name of a schema in a circle, which ajv cannot compile. */
const link = (index: number): string => `Link${index % LINKS}`;
const toLink = (index: number): object => ({ $ref: `#/components/schemas/${link(index)}` });
const CIRCLE = Object.fromEntries(
  Array.from({ length: LINKS }, (_, index) => [link(index), { properties: { next: toLink(index + 1) } }]),
);

/** An operation whose request body has a schema. */
const post = (operationId: string, schema: object): object => ({
  post: {
    operationId,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '204': { description: 'Done.' } },
  },
});

/** More operations than are compiled at the start; the first and the last one cannot be. */
const LARGE = {
  openapi: '3.1.0',
  info: { title: 'Large', version: '1.0.0' },
  paths: {
    '/first': post('first', toLink(0)),
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`/lists/${index}`, post(`list${index}`, { maxItems: index })]),
    ),
    '/last': post('last', toLink(1)),
  },
  components: { schemas: CIRCLE },
};

const headers = { 'Content-Type': 'application/json' };
const done = (): { status: number } => ({ status: 204 });
const reason = (id: string): string =>
  `express-openapi-validator cannot serve ${id}: its schemas refer to each other in too long a chain or circle. Shorten it, or leave a part undescribed.`;

/** Ends what a test has begun, also when it fails. */
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

test('the operations of a large contract are compiled while no requests come, or at their first one', async () => {
  const warnings: unknown[] = [];
  let onWarning: (() => void) | undefined;
  const warned = new Promise<void>((resolve) => {
    onWarning = resolve;
  });
  jest.spyOn(process, 'emitWarning').mockImplementation((...warning: unknown[]) => {
    if (warnings.push(warning) === 1) onWarning?.();
  });
  const failures: unknown[] = [];
  const onError = ({ operation, error }: Failure): undefined => {
    failures.push([operation, (error as Error).message]);
  };

  const smallServer = await serveDocument({ paths: { '/': post('small', {}) } }, done);
  let isBusy = true;
  cleanUps.push(() => (isBusy = false), smallServer.close);
  const keepBusy = async (): Promise<void> => {
    while (isBusy) await smallServer.request('POST', '/', { headers, body: '[]' });
  };
  const load = [keepBusy(), keepBusy()];
  const large = await withFiles({ 'openapi.yaml': JSON.stringify(LARGE) }, (file) =>
    serveContract(file, done, {}, { onError }),
  );
  cleanUps.push(large.close);
  const ask = (path: string, body: string): ReturnType<typeof large.request> =>
    large.request('POST', path, { headers, body });

  expect(await ask('/lists/3', '[1, 2, 3]')).toMatchObject({ status: 204 });
  expect(await ask('/lists/3', '[1, 2, 3, 4]')).toMatchObject(refused('invalidBody'));
  for (let count = 0; count < 100; count++) await ask('/lists/3', '[]');
  expect(warnings).toEqual([]);

  isBusy = false;
  await Promise.all(load);
  await warned;
  const shared = expect.stringMatching(/first and last: 400 schemas, Link0 among them,/);
  expect(warnings).toEqual([[shared, { code: 'OPENAPI_EXACT_NOT_SERVED' }]]);

  failures.length = 0;
  expect(await ask('/last', '{}')).toMatchObject(refused('internal'));
  expect(failures).toEqual([['last', reason('last')]]);
  expect(warnings).toHaveLength(1);
}, 60_000);

test('a first request before the compilation in idle time gets 500 too, with the same reason for onError', async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const told: unknown[] = [];
  const onError = ({ operation, error }: Failure): undefined => {
    told.push([operation, (error as Error).message]);
  };
  const server = await withFiles({ 'openapi.yaml': JSON.stringify(LARGE) }, (file) =>
    serveContract(file, done, {}, { onError }),
  );
  cleanUps.push(server.close);
  expect(await server.request('POST', '/last', { headers, body: '{}' })).toMatchObject(refused('internal'));
  expect(told).toEqual([['last', reason('last')]]);
});

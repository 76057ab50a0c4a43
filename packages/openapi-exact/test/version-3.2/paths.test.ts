import { expect, test } from '@jest/globals';
import { serveForClient } from '../client/served-contract.ts';
import { serveDocument } from '../support/inline-contract.ts';

const get = { responses: { 204: { description: 'Done.' } } };
const done = (): { status: number } => ({ status: 204 });
const serve = (openapi: string, path: string): ReturnType<typeof serveDocument> =>
  serveDocument({ openapi, paths: { [path]: { get } } }, done);

test.each([
  ['/a?beta=true', "before '?'"],
  ['/a#b', "before '#'"],
  ['/a b', 'as %20'],
  ['/ü', 'as %C3%BC'],
  ['/a%2', 'as %25'],
  ['/a//b', 'empty segment'],
])('the path %s is none of OpenAPI 3.2, and is served in 3.1 as far as it was', async (path, right) => {
  await expect(serve('3.2.0', path)).rejects.toThrow(right);
  await (await serve('3.1.0', path.replace('%2', '%20'))).close();
});

test('a parameter of a path has any name without braces', async () => {
  const names = ['a/b', 'a?b', 'a#b', 'ü b'];
  const paths = Object.fromEntries(
    names.map((name, index) => [
      `/${index}/{${name}}/end/`,
      { get: { ...get, parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] } },
    ]),
  );
  const served = await serveForClient(paths, { openapi: '3.2.0' });
  for (const [index, name] of names.entries()) {
    await served.client().GET(`/${index}/{${name}}/end/`, { params: { path: { [name]: 'x/y' } } });
    expect(served.request['params']).toEqual({ [name]: 'x/y' });
  }
  await served.close();
});

test('an empty security requirement lets anonymous requests in, beside others', async () => {
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  const paths = { '/a': { get: { ...get, security: [{}, { token: [] }] } }, '/b': { get: { ...get, security: [{}] } } };
  const server = await serveDocument({ openapi: '3.2.0', paths, components }, done, { token: () => undefined });
  expect([(await server.request('GET', '/a')).status, (await server.request('GET', '/b')).status]).toEqual([204, 204]);
  await server.close();
});

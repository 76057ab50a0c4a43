import { afterEach, expect, jest, test } from '@jest/globals';
import express, { type Express } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { Contract } from '../src/document/read-contract.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { Failure } from '../src/server/options.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { HttpClient } from 'test-support/http-client.ts';

/** A contract with one operation at a path, whose servers may have a base path. */
function contractOf(path: string, servers = '', responses = "'200': { description: It. }"): Promise<Contract> {
  const text = `openapi: 3.1.0
info: { title: ${path}, version: 1.0.0 }
${servers}paths:
  ${path}:
    post:
      operationId: act
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { ${responses} }
`;
  return withFiles({ 'openapi.yaml': text }, loadContract);
}

const handlers = { act: () => ({ status: 200 }) };

let served: Listening | undefined;
afterEach(() => served?.close());

/** Serves an application as `app.listen` does. */
async function ask(app: Express, path: string, init: RequestInit = {}): Promise<[status: number, text: string]> {
  served ??= await listen(createServer(app));
  const response = await fetch(served.url + path, { method: 'POST', ...init });
  return [response.status, await response.text()];
}
afterEach(() => (served = undefined));

test('contracts are served under any path and beside other routes, and what none has goes to the next one', async () => {
  const app = express();
  app.use('/v1', await contractMiddleware({ contract: await contractOf('/notes'), handlers }));
  app.use(await contractMiddleware({ contract: await contractOf('/todos'), handlers }));
  app.post('/health', (_request, response) => void response.send('well'));
  expect(await ask(app, '/v1/notes')).toEqual([200, '']);
  expect(await ask(app, '/todos')).toEqual([200, '']);
  expect(await ask(app, '/health')).toEqual([200, 'well']);
  // Percent-encoding that is not UTF-8 is the next one's to judge, too.
  app.use((request, response) => void response.send(request.path));
  expect(await ask(app, '/files/caf%E9')).toEqual([200, '/files/caf%E9']);
  expect(await ask(app, '/notes')).toEqual([200, '/notes']);
  expect(await ask(app, '/v1/todos')).toEqual([200, '/v1/todos']);
});

test('a request target in absolute form is served like one in origin form', async () => {
  const app = express();
  app.use('/v1', await contractMiddleware({ contract: await contractOf('/notes'), handlers }));
  app.use(await contractMiddleware({ contract: await contractOf('/todos'), handlers, fallthrough: false }));
  served = await listen(createServer(app));
  for (const [path, status] of [
    ['/todos', 200],
    ['/v1/notes', 200],
    ['/nothing', 404],
    ['', 404],
  ] as const) {
    const target = `http://example.com${path}`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      request(served?.url ?? '', { method: 'POST', path: target }, resolve)
        .on('error', reject)
        .end(),
    );
    answer.resume();
    expect([target, answer.statusCode]).toEqual([target, status]);
  }
});

/** Every spelling of a path with one character percent-encoded. */
function encodings(path: string): readonly string[] {
  const encoded = (at: number, digits: string): string => `${path.slice(0, at)}%${digits}${path.slice(at + 1)}`;
  return Array.from(path).flatMap((character, at) => {
    const digits = character.charCodeAt(0).toString(16);
    return at === 0 ? [] : [encoded(at, digits), encoded(at, digits.toUpperCase())];
  });
}

test('no spelling of a path reaches its operation past a guard that Express matches by the path', async () => {
  let handled = 0;
  const app = express();
  app.use('/admin', (_request, response) => void response.status(403).end());
  const contract = await contractOf('/admin/users');
  const act = (): { status: number } => ({ status: (handled += 1) && 200 });
  app.use(await contractMiddleware({ contract, handlers: { act }, fallthrough: false }));
  served = await listen(createServer(app));
  const client = new HttpClient(served.port);
  const statusOf = async (target: string): Promise<number> => (await client.request('POST', target)).status;
  for (const target of encodings('/admin/users').filter((target) => !target.includes('%', 7))) {
    expect([target, await statusOf(target)]).toEqual([target, 404]);
  }
  for (const target of ['//admin/users', '/./admin/users', '/x/../admin/users', '/admin;/users', '/%2561dmin/users']) {
    expect([target, await statusOf(target)]).toEqual([target, 404]);
  }
  // The host of a target in absolute form, with every character that Node.js lets into it.
  for (const character of "-_.!~*'()%;:&=+$,@[]") {
    for (const host of [`h${character}`, `h${character}x`, character, `u${character}@h`, `h:8${character}`]) {
      expect([400, 403, 404]).toContain(await statusOf(`http://${host}/admin/users`));
    }
  }
  expect(handled).toBe(0);
});

test('the path where a contract is mounted stands in for the base path of its servers', async () => {
  const contract = await contractOf('/notes', 'servers: [{ url: https://example.com/api }]\n');
  const app = express();
  app.use('/mounted', await contractMiddleware({ contract, handlers }));
  app.use(await contractMiddleware({ contract, handlers }));
  expect(await ask(app, '/api/notes')).toEqual([200, '']);
  expect(await ask(app, '/mounted/notes')).toEqual([200, '']);
  expect((await ask(app, '/notes'))[0]).toBe(404);
});

test('without fallthrough, an unknown path is answered 404 with problem details', async () => {
  const app = express();
  app.use(await contractMiddleware({ contract: await contractOf('/notes'), handlers, fallthrough: false }));
  app.use((_request, response) => void response.send('next'));
  const [status, text] = await ask(app, '/other');
  expect([status, JSON.parse(text)]).toEqual([
    404,
    { title: 'Not Found', status: 404, detail: expect.any(String), reason: 'unknownPath' },
  ]);
});

test('another method of a known path is 405 although other routes follow', async () => {
  const app = express();
  app.use(await contractMiddleware({ contract: await contractOf('/notes'), handlers }));
  app.use((_request, response) => void response.send('next'));
  expect((await ask(app, '/notes', { method: 'PUT' }))[0]).toBe(405);
});

test('a body that express.json() has read is 500, and onError is told the cure', async () => {
  const told: string[] = [];
  const onError = ({ error }: Failure): undefined => void told.push(String(error));
  const app = express();
  app.use(express.json());
  app.use(await contractMiddleware({ contract: await contractOf('/notes'), handlers, onError }));
  const init = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
  expect((await ask(app, '/notes', init))[0]).toBe(500);
  expect(told).toEqual([expect.stringContaining('express.json()')]);
  expect(told[0]).toContain('mount contractMiddleware in front');
});

test('a request id is returned in X-Request-Id where the option makes one, without what a header cannot have, and else there is none', async () => {
  const contract = await contractOf('/notes');
  const app = express();
  app.use('/named', await contractMiddleware({ contract, handlers, requestId: () => 'request\n-7' }));
  app.use(await contractMiddleware({ contract, handlers }));
  served = await listen(createServer(app));
  const ids = ['/named/notes', '/notes'].map(async (path) => {
    const { headers } = await fetch(`${String(served?.url)}${path}`, { method: 'POST' });
    return headers.get('X-Request-Id');
  });
  expect(await Promise.all(ids)).toEqual(['request-7', null]);
});

test('a change that was made is answered as such where onChange throws, and onError is told', async () => {
  const told: string[] = [];
  const app = express();
  app.use(
    await contractMiddleware({
      contract: await contractOf('/notes'),
      handlers,
      onChange: () => {
        throw new Error('The audit log is full.');
      },
      onError: ({ error, operation }) => void told.push(`${operation}: ${String(error)}`),
    }),
  );
  expect(await ask(app, '/notes')).toEqual([200, '']);
  expect(told).toEqual(['act: Error: The audit log is full.']);
});

test('a header of another middleware that cannot be sent closes the connection, and the process serves on', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const app = express();
  app.use('/broken', (_request, response, next) => {
    // Without chunks Node.js refuses to write this header.
    response.setHeader('Trailer', 'Expires');
    next();
  });
  app.use(await contractMiddleware({ contract: await contractOf('/notes'), handlers }));
  app.use('/broken', await contractMiddleware({ contract: await contractOf('/notes'), handlers }));
  await expect(ask(app, '/broken/notes')).rejects.toThrow('fetch failed');
  expect(await ask(app, '/notes')).toEqual([200, '']);
  printed.mockRestore();
});

const json = { content: { 'application/json': { schema: {} } } };
const responses = { 200: { description: 'Yes.', ...json } };
/** A contract whose server has the path /v1, with an operation that needs a token. */
const versioned = await loadContract({
  text: documentText({
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: { '/plants': { post: { operationId: 'addPlant', requestBody: { required: true, ...json }, responses } } },
  }),
});

test('the store of AsyncLocalStorage is there in a verifier, and in a handler behind a body', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const app = express();
  app.use((request, _response, next) => {
    requests.run(String(request.headers['x-id']), next);
  });
  const verifiers = {
    bearer: async () => {
      await Promise.resolve();
      seen.push(requests.getStore());
      return { name: 'me' };
    },
  };
  const handlers = { addPlant: () => ({ status: 200, body: { store: requests.getStore() } }) };
  app.use(await contractMiddleware({ contract: versioned, handlers, verifiers }));
  const server = await listen(createServer(app));
  const client = new HttpClient(server.port);
  const post = async (id: string): Promise<string> => {
    const headers = { 'X-Id': id, Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    return (await client.request('POST', '/v1/plants', { headers, body: '{}' })).text;
  };
  expect([await post('a'), await post('b')]).toEqual(['{"store":"a"}', '{"store":"b"}']);
  expect(seen).toEqual(['a', 'b']);
  client.close();
  await server.close();
});

test.each([
  ['/', '/v1/plants'],
  ['/v1', '/v1/plants'],
  ['/api', '/api/plants'],
])('mounted at %s, a contract whose servers have the path /v1 answers %s', async (mount, path) => {
  const app = express();
  const handlers = { addPlant: () => ({ status: 200, body: {} }) };
  const verifiers = { bearer: async () => Promise.resolve({ name: 'me' }) };
  app.use(mount, await contractMiddleware({ contract: versioned, handlers, verifiers }));
  const server = await listen(createServer(app));
  const client = new HttpClient(server.port);
  const answered: string[] = [];
  for (const tried of ['/plants', '/v1/plants', '/api/plants', '/v1/v1/plants', '/api/v1/plants']) {
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    const { status } = await client.request('POST', tried, { headers, body: '{}' });
    if (status === 200) answered.push(tried);
  }
  expect(answered).toEqual([path]);
  client.close();
  await server.close();
});

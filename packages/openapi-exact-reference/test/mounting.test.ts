import { expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import { contractMiddleware, type MiddlewareOptions } from 'openapi-exact';
import { apiReference } from 'openapi-exact-reference';
import { describeInBrowser } from './support/reference-page.ts';
import { fixture, serveApp } from './support/serve.ts';

const contract = await fixture('library.yaml');
const errorBody: MiddlewareOptions['errorBody'] = ({ reason, message }) => ({
  contentType: 'application/json',
  body: { code: reason, message },
});
const verifiers = { bearerAuth: () => ({ name: 'librarian' }) };
const middleware = await contractMiddleware({
  contract,
  handlers: { deleteBook: () => ({ status: 204 }) },
  verifiers,
  errorBody,
});

describeInBrowser('in a browser, the page', (docs) => {
  const mounts: [string, string, (app: Express) => unknown, string][] = [
    ['/docs', 'the root', (app) => app.use(middleware).use('/docs', apiReference({ contract })), '/v1/books/12'],
    ['/', 'the root', (app) => app.use(middleware).use(apiReference({ contract })), '/v1/books/12'],
    [
      '/docs',
      '/api',
      (app) => app.use('/api', middleware).use('/docs', apiReference({ contract, apiPath: '/api' })),
      '/api/books/12',
    ],
    [
      '/api/docs',
      '/api, beside it,',
      (app) => app.use('/api', express.Router().use(middleware).use('/docs', apiReference({ contract }))),
      '/api/books/12',
    ],
    [
      '/a/docs',
      'the root',
      (app) => app.use(middleware).use('/a/docs', apiReference({ contract, apiPath: '/' })),
      '/v1/books/12',
    ],
  ];
  test.each(mounts)('at %s sends requests to a contract at %s', async (path, _where, mount, expected) => {
    const app = express();
    mount(app);
    const server = await serveApp(app);
    await docs.open(server.port, `${path}#operation/deleteBook`);
    await docs.token().fill('secret');
    expect(await docs.sample()).toContain(`\n  ${server.url}${expected}`);
    expect(await docs.send()).toMatchObject({ status: '204 No Content', url: server.url + expected });
    expect(docs.complaints).toEqual([]);
    await server.close();
  });
});

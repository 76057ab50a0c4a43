import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from './support/reference-page.ts';
import { serveDocument, serveFixture, type Served } from './support/serve.ts';

const openapi = '3.2.0';
const responses = { '204': { summary: 'Done.' } };
const form = { type: 'object', properties: { words: { type: 'array', items: { type: 'string' } } } };

describeInBrowser('in a browser, a contract of OpenAPI 3.2', (docs) => {
  let server: Served;
  beforeAll(async () => {
    server = await serveFixture('library.yaml', undefined, { verifiers: { bearerAuth: () => ({ name: 'me' }) } });
  });
  afterAll(() => server.close());
  const article = (): Locator => docs.page.getByRole('article');
  const contents = (): Locator => docs.page.getByRole('navigation');

  test('has its operations under nested tags by summary, and says their badges and audiences', async () => {
    const tags = [
      { name: 'account-updates', summary: 'Account updates', kind: 'nav', parent: 'accounts' },
      { name: 'accounts', summary: 'Accounts', description: 'All of them.' },
      { name: 'partner', summary: 'Partners', parent: 'external', kind: 'audience' },
      { name: 'external', summary: 'External', kind: 'audience' },
      { name: 'beta', kind: 'badge' },
    ];
    const put = { summary: 'Update an account', tags: ['partner', 'account-updates', 'beta'], responses };
    const get = { summary: 'List accounts', tags: ['accounts'], responses };
    await docs.openContract(server.port, { openapi, tags, paths: { '/accounts': { put, get } } });
    expect(await contents().locator('.group:visible').allInnerTexts()).toEqual([
      ...['START', 'ACCOUNTS', 'ACCOUNT UPDATES'],
    ]);
    await docs.openOperation('Update an account');
    expect(await article().innerText()).toMatch(/PUT \/accounts\s+audience: Partners\s+badge: beta\s/);
    await contents().getByRole('link', { name: 'Accounts', exact: true }).click();
    await docs.page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    expect(await article().innerText()).toBe('Accounts\n\nAll of them.');
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('has QUERY and other methods, which the page sends and writes in each language', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } };
    const query = { operationId: 'find', summary: 'Find notes', requestBody: { required: true, content }, responses };
    const link = { operationId: 'link', summary: 'Link notes', responses };
    const paths = { '/notes': { query, additionalOperations: { LINK: link } } };
    const sent: unknown[] = [];
    const served = await serveDocument({ openapi, paths }, (request) => void sent.push(request));
    await docs.open(served.port, '/docs#operation/find');
    expect(await article().innerText()).toMatch(/^Find notes\s+QUERY \/notes/);
    expect(await docs.code()).toMatch(/^curl -X QUERY /);
    await docs.field('Body required').fill('{"id":7}');
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.code()).toContain("client.QUERY('/notes', { body: { id: 7 } });");
    await docs.page.getByRole('button', { name: 'Python' }).click();
    expect(await docs.code()).toContain('requests.request("QUERY", ');
    await docs.openOperation('Link notes');
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(sent).toMatchObject([{ id: 'find', body: { id: 7 } }, { id: 'link' }]);
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.code()).toContain("client.request('LINK', '/notes');");
    expect(docs.complaints).toEqual([]);
    await served.close();
  });

  test('has a query that is one value: a form, or JSON', async () => {
    const whole = (type: string, example: object): object[] => [
      { in: 'querystring', name: 'all', required: true, content: { [type]: { schema: form, example } } },
    ];
    const words = { words: ['a b', 'c&d'] };
    const get = { operationId: 'form', parameters: whole('application/x-www-form-urlencoded', words), responses };
    const put = { operationId: 'json', parameters: whole('application/json', words), responses };
    const sent: unknown[] = [];
    const served = await serveDocument({ openapi, paths: { '/': { get, put } } }, (request) => void sent.push(request));
    for (const id of ['form', 'json']) {
      await docs.open(served.port, `/docs#operation/${id}`);
      expect(await article().innerText()).toMatch(/Query\s+all required\s+object/);
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    }
    expect(sent).toEqual([
      { id: 'form', query: words },
      { id: 'json', query: words },
    ]);
    expect(docs.complaints).toEqual([]);
    await served.close();
  });

  test('has responses with a summary alone, and media types by reference, with the texts of examples', async () => {
    const text = '{ "name" : "Rose" }';
    const content = { 'application/json': { $ref: '#/components/mediaTypes/Plant' } };
    const get = { operationId: 'get', responses: { '200': { summary: 'The plant', content } } };
    const examples = { rose: { dataValue: { name: 'Rose' }, serializedValue: text } };
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const components = { mediaTypes: { Plant: { schema, examples } } };
    await docs.openContract(server.port, { openapi, paths: { '/': { get } }, components });
    await docs.unfold(article().locator('summary', { hasText: 'The plant' }));
    expect(await article().innerText()).toMatch(/200\s+The plant\s[^]*application\/json, object\s+name\s+string/);
    expect(await article().locator('figure pre').textContent()).toBe(text);
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('has deprecated security schemes, device authorization and the metadata of its provider', async () => {
    const flow = {
      deviceAuthorizationUrl: 'https://provider.example/device',
      tokenUrl: 'https://provider.example/token',
      scopes: { read: 'Look at it.' },
    };
    const oauth2MetadataUrl = 'https://provider.example/.well-known/oauth-authorization-server';
    const securitySchemes = {
      tv: { type: 'oauth2', oauth2MetadataUrl, flows: { deviceAuthorization: flow } },
      old: { type: 'apiKey', in: 'header', name: 'X-Key', deprecated: true },
    };
    await docs.openContract(server.port, { openapi, components: { securitySchemes } }, '#authentication');
    expect((await article().innerText()).replaceAll(/\s+/g, ' ')).toBe(
      `Authentication tv OAuth 2.0 deviceAuthorization ${flow.deviceAuthorizationUrl} ${flow.tokenUrl} read Look at it. ` +
        `${oauth2MetadataUrl} old API key in the header X-Key, deprecated`,
    );
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('has named servers, among which a request has a choice', async () => {
    const servers = [
      { url: 'https://plants.example/v1', name: 'Stable' },
      { url: 'https://plants.example/next', name: 'Next' },
      { url: 'https://eu.plants.example/old', name: 'Europe' },
      { url: 'https://us.plants.example/old', name: 'America' },
    ];
    const get = { operationId: 'list', responses };
    const served = await serveDocument({ openapi, servers, paths: { '/plants': { get } } }, () => undefined);
    await docs.open(served.port, '/docs#operation/list');
    const choice = docs.field('Server');
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      `Stable: ${served.url}/v1`,
      `Next: ${served.url}/next`,
      `${served.url}/old`,
    ]);
    await choice.selectOption({ index: 1 });
    expect(await docs.send()).toMatchObject({ status: '204 No Content', url: `${served.url}/next/plants` });
    expect(docs.complaints).toEqual([]);
    await served.close();
  });

  test('has streams of items whose schema is that of a list, with what it demands of all items', async () => {
    const head = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
    const schema = { type: 'array', minItems: 1, maxItems: 9, prefixItems: [head], items: { type: 'integer' } };
    const content = { 'application/jsonl': { schema } };
    const get = { operationId: 'count', responses: { '200': { summary: 'Numbers', content } } };
    await docs.openContract(server.port, { openapi, paths: { '/': { get } } });
    await docs.unfold(article().locator('summary', { hasText: 'Numbers' }));
    expect(await article().innerText()).toMatch(
      /application\/jsonl, a stream of integer\s+Each line is one item, as JSON\.\s+All items: array of integer\s+1 … 9 items\s+title required/,
    );
    expect(await article().locator('figure pre').textContent()).toBe('{"title":"text"}\n1\n');
    expect(docs.complaints).toEqual([]);
  });
});

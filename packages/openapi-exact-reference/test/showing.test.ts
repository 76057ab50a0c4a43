import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveFixture, type Served } from './support/serve.ts';
import { box, describeInBrowser, DESKTOP, PHONE } from './support/reference-page.ts';

describeInBrowser('in a browser, the API reference', (docs) => {
  let server: Served;

  beforeAll(async () => {
    const anyone = (): Promise<{ name: string }> => Promise.resolve({ name: 'gardener' });
    const schemes = ['token', 'key', 'login', 'admin', '2keys', 'session', 'provider'];
    const verifiers = Object.fromEntries(schemes.map((scheme) => [scheme, anyone]));
    server = await serveFixture('garden.yaml', () => ({ status: 204 }), { verifiers });
  });
  afterAll(() => server.close());

  test('finds operations and schemas by the words of a search, which / reaches', async () => {
    await docs.open(server.port, '/docs#authentication');
    await docs.page.keyboard.press('/');
    await docs.page.keyboard.type('post PLANTS /beds');
    const links = docs.page.getByRole('navigation').getByRole('link');
    expect(await links.allInnerTexts()).toEqual([expect.stringContaining('Add a plant')]);
    expect(await docs.page.getByRole('navigation').getByRole('status').innerText()).toBe('1 result');
    await docs.page.keyboard.press('Enter');
    await docs.page.getByRole('heading', { level: 1, name: 'Add a plant' }).waitFor();
    expect(await links.first().getAttribute('aria-current')).toBe('page');
    await docs.page.getByLabel('Search').fill('error SCHEMA');
    expect(await links.allInnerTexts()).toEqual(['Error']);
    await docs.page.getByLabel('Search').fill('nothing such');
    expect(await links.count()).toBe(0);
    expect(await docs.page.getByRole('navigation').getByRole('status').innerText()).toBe('0 results');
    for (const search of ['nothing such', ' ']) {
      await docs.page.getByLabel('Search').fill(search);
      await docs.page.keyboard.press('Enter');
    }
    await docs.page.evaluate(`location.hash = '#operation/none'`);
    await docs.page.waitForURL(/none$/);
    await docs.page.locator('h1:focus').waitFor();
    expect(await docs.page.title()).toBe('Add a plant · A garden');
    expect(docs.complaints).toEqual([]);
  });

  test('shows a response as it came: names twice and in their order, each number, in its charset', async () => {
    await docs.open(server.port, '/docs#operation/follow');
    const json = '{"b": [], "10": 1.10, "2": 1E400, "a": "\\u00e9 \\"[,]", "a": {"id": 9007199254740993}, "c": { }}';
    expect(await docs.sendFor({ contentType: 'application/problem+json', body: json })).toMatchObject({
      body: `{
  "b": [],
  "10": 1.10,
  "2": 1E400,
  "a": "\\u00e9 \\"[,]",
  "a": {
    "id": 9007199254740993
  },
  "c": {}
}`,
    });
    for (const body of ['{"a": 01}', '['.repeat(200) + ']'.repeat(200)])
      expect(await docs.sendFor({ contentType: 'application/json', body })).toMatchObject({ body });
    const latin = { contentType: 'text/plain; charset="iso-8859-1"', body: Buffer.from('rosé', 'latin1') };
    expect(await docs.sendFor(latin)).toMatchObject({ body: 'rosé' });
    expect(await docs.sendFor({ contentType: 'text/plain; charset=none', body: 'rosé' })).toMatchObject({
      body: 'rosé',
    });
    expect(docs.complaints).toEqual([]);
  });

  test('shows the beginning of a response that is too long to show, and offers the whole', async () => {
    await docs.open(server.port, '/docs#operation/follow');
    const { body } = await docs.sendFor({ contentType: 'application/json', body: `"${'a'.repeat(5_000_000)}"` });
    expect(body).toHaveLength(500_000);
    // What follows the response is not far away.
    expect((await box(docs.page.locator('.response-body'))).bottom).toBeLessThan(2 * DESKTOP.height);
    const downloaded = docs.page.waitForEvent('download');
    await docs.page.getByRole('link', { name: 'Download 5000002 bytes' }).click();
    expect((await downloaded).suggestedFilename()).toMatch(/^response/);
    expect(docs.complaints).toEqual([]);
  });

  test('says that a response is a redirect, and does not follow it', async () => {
    await docs.open(server.port, '/docs#operation/follow');
    const headers = { Location: '/docs/icon.svg' };
    await docs.context.route('**/notes', (route) => route.fulfill({ status: 303, headers }));
    await docs.page.getByRole('button', { name: 'Send' }).click();
    await docs.page.getByRole('alert').filter({ hasText: 'it is a redirect' }).waitFor();
    expect(await docs.page.locator('.response').innerText()).toBe('');
    await docs.context.unroute('**/notes');
  });

  test('shows schemas that name each other in every way at once, with a short example', async () => {
    const names = 'ABCDEFGHIJKL'.split('');
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: 'array', items: { $ref: `#/components/schemas/${name}` } }]),
    );
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
    await docs.openContract(server.port, {
      paths: { '/a': { post: { summary: 'Add', requestBody: { content }, responses: {} } } },
      components: { schemas: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])) },
    });
    const example = await docs.page.locator('textarea.body').inputValue();
    expect(example.length).toBeLessThan(200_000);
    expect(example).toContain('"B"');
    expect(docs.complaints).toEqual([]);
  });

  test('names the media type of a body in TypeScript where the client cannot choose it', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } };
    const content = { 'application/json': { schema }, 'application/vnd.v2+json': { schema } };
    const post = { summary: 'Add', security: [{ token: [] }], requestBody: { content }, responses: {} };
    const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
    await docs.openContract(server.port, { paths: { '/a': { post } }, components: { securitySchemes } });
    await docs.field('Media type').selectOption('application/vnd.v2+json');
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.sample()).toContain(
      "client.POST('/a', { body: { id: 1n }, contentType: 'application/vnd.v2+json' });",
    );
    expect(docs.complaints).toEqual([]);
  });

  test('writes bigints in TypeScript wherever the client takes them, and numbers elsewhere', async () => {
    const beyond = { type: 'integer', maximum: 2 ** 64 };
    const schema = {
      type: 'object',
      properties: {
        unsigned: { type: 'integer', format: 'uint64' },
        bounded: beyond,
        count: { type: 'integer' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, beyond], items: { type: 'number' } },
        price: { oneOf: [{ type: 'integer', format: 'int64' }, { type: 'number' }] },
        either: { type: ['integer', 'string'], format: 'int64' },
        rate: { ...beyond, type: ['integer', 'number'] },
        fixed: { const: 2 ** 64 },
      },
      patternProperties: { '^id': { type: 'integer', format: 'int64' } },
      oneOf: [{ properties: { owner: { type: 'string' } } }, { properties: { owner: beyond } }],
      if: { required: ['weight'] },
      then: { properties: { weight: beyond } },
    };
    const post = { summary: 'Add', security: [{ token: [] }], responses: {} };
    const requestBody = { content: { 'application/json': { schema } } };
    const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
    await docs.openContract(server.port, {
      paths: { '/a': { post: { ...post, requestBody } } },
      components: { securitySchemes },
    });
    expect(await docs.page.getByRole('article').innerText()).toMatch(/unsigned[^]*0 … 18446744073709551615[^]*bounded/);
    await docs
      .field('Body')
      .fill(
        '{"unsigned":1,"bounded":2,"count":3,"pair":["a",4,5],"price":1.5,"either":9,"rate":10,"fixed":11,"id1":6.0,"owner":7,"weight":8,"other":9}',
      );
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect((await docs.sample()).replaceAll(/\s+/g, ' ')).toContain(
      "{ unsigned: 1n, bounded: 2n, count: 3, pair: ['a', 4n, 5], price: 1.5, either: 9n, rate: 10, fixed: 11n, id1: 6n, owner: 7n, weight: 8n, other: 9n, }",
    );
    expect(docs.complaints).toEqual([]);
  });

  test('writes parameters of JSON as JSON: lists, texts and choices', async () => {
    const json = (schema: object, more = {}): object => ({ content: { 'application/json': { schema, ...more } } });
    const ids = json({ type: 'array', items: { type: 'integer', format: 'int64' } }, { example: [1, 2] });
    const named = { ids, name: json({ type: 'string', default: 'a' }), sort: json({ enum: ['up', 1, true] }) };
    const parameters = Object.entries(named).map(([name, of]) => ({ name, in: 'query', required: true, ...of }));
    await docs.openContract(server.port, { paths: { '/a': { get: { summary: 'Find', parameters, responses: {} } } } });
    const written = async (): Promise<string> => decodeURIComponent((await docs.sample()).replace(/^[^?]*/, ''));
    expect(await written()).toBe('?ids=[1,2]&name="a"&sort="up"\'');
    await docs.field('sort required').selectOption('true');
    expect(await written()).toBe('?ids=[1,2]&name="a"&sort=true\'');
    expect(docs.complaints).toEqual([]);
  });

  test('takes a file for a body or a part of which the contract says only that it is no text', async () => {
    const about = { type: 'string' };
    const content = {
      'application/pdf': {},
      'multipart/form-data': { schema: { type: 'object', properties: { scan: {}, about } } },
      'application/sql': { schema: { type: 'string' } },
    };
    const post = { summary: 'Add', requestBody: { required: true, content }, responses: {} };
    await docs.openContract(server.port, { paths: { '/a': { post } } });
    expect(await docs.field('Body required').getAttribute('type')).toBe('file');
    expect(await docs.sample()).toContain("-H 'Content-Type: application/pdf' \\\n  --data-binary '@file'");
    await docs.field('Media type').selectOption('multipart/form-data');
    expect(await docs.field('scan').getAttribute('type')).toBe('file');
    expect(await docs.field('about').getAttribute('type')).toBe('text');
    await docs.field('Media type').selectOption('application/sql');
    expect(await docs.field('Body required').inputValue()).toBe('text');
    expect(docs.complaints).toEqual([]);
  });

  test('shows webhooks without a request to send, and a contract without operations', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } };
    const post = {
      summary: 'A plant has died',
      requestBody: { content },
      responses: { '204': { description: 'Seen.' } },
    };
    await docs.openContract(server.port, { webhooks: { died: { post } } });
    expect(await docs.page.getByRole('article').innerText()).toMatch(
      /^A plant has died\s+POST died\s+The service sends this request\.[^]*\bid\b[^]*204\s+Seen\./,
    );
    expect(await docs.page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await docs.page.getByRole('list', { name: 'Webhooks' }).getByRole('link').count()).toBe(1);
    expect(await docs.faults()).toEqual([]);
    await docs.openContract(server.port, {});
    expect(await docs.page.getByRole('article').innerText()).toMatch(/^A contract\s+Version\s+1\.0\.0$/);
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('shows the callbacks of an operation on demand, and leads to documentation elsewhere', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } };
    const called = {
      description: 'It grew.',
      requestBody: { content },
      responses: { '204': { description: 'Seen.' } },
    };
    const externalDocs = { url: 'https://example.com/growth', description: 'All of growth' };
    const callbacks = { grown: { $ref: '#/components/callbacks/Grown' } };
    await docs.openContract(server.port, {
      externalDocs: { url: 'https://example.com/all' },
      paths: { '/watch': { put: { summary: 'Watch', externalDocs, callbacks, responses: {} } } },
      components: { callbacks: { Grown: { '{$request.body#/url}': { post: called } } } },
    });
    const article = docs.page.getByRole('article');
    expect(await article.getByRole('link', { name: 'All of growth' }).getAttribute('href')).toBe(externalDocs.url);
    await article.locator('summary', { hasText: 'grown: POST {$request.body#/url}' }).click();
    await article.getByText('Seen.').waitFor();
    expect(await article.innerText()).toMatch(
      /Callbacks\s+The service sends these requests\.[^]*It grew\.[^]*Body[^]*\bid\b[^]*204\s+Seen\./,
    );
    expect(await docs.faults()).toEqual([]);
    await docs.page.getByRole('navigation').getByRole('link', { name: 'Introduction' }).click();
    await docs.page.getByRole('heading', { level: 1, name: 'A contract' }).waitFor();
    expect(await article.getByRole('link').getAttribute('href')).toBe('https://example.com/all');
    expect(docs.complaints).toEqual([]);
  });

  test('leads to each part of a description, also where titles are the same, and keeps contact and licence', async () => {
    const description = '# One\n\n## `Examples`\n\nFirst.\n\n# Introduction\n\n## Examples\n\nSecond.';
    const license = { name: 'MIT', url: 'javascript:alert(1)' };
    await docs.openContract(server.port, { info: { title: 'A contract', version: '1.0.0', description, license } });
    const links = docs.page.getByRole('list', { name: 'Start' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Introduction', 'One', 'Examples', 'Introduction', 'Examples']);
    const shown: string[] = [];
    for (const link of await links.all()) {
      await link.click();
      await docs.page.locator('nav [aria-current]').and(link).waitFor();
      shown.push((await docs.page.getByRole('article').innerText()).replaceAll(/\s+/g, ' '));
    }
    expect(shown).toEqual([
      'A contract Version 1.0.0 Licence MIT',
      ...['One', 'Examples First.', 'Introduction', 'Examples Second.'],
    ]);
    await docs.page.goBack();
    await docs.page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
    expect(docs.complaints).toEqual([]);
  });

  test('says that it loads, which scopes an operation needs, and in the contents what is deprecated', async () => {
    await docs.open(server.port);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await docs.context.route('**/openapi.json', async (route) => {
      await released;
      const security = [{ provider: ['plants:read', 'plants:write'] }];
      const get = { summary: 'List', deprecated: true, security, responses: {} };
      const provider = { type: 'oauth2', flows: {} };
      const info = { title: 'A contract', version: '1.0.0' };
      await route.fulfill({
        json: { openapi: '3.1.0', info, paths: { '/': { get } }, components: { securitySchemes: { provider } } },
      });
    });
    await docs.page.goto(`${server.url}/docs`, { waitUntil: 'commit' });
    await docs.page.getByText('Loading the contract…').waitFor();
    release();
    await docs.page.getByText('Authentication: provider (plants:read, plants:write).').waitFor();
    expect(await docs.page.locator('nav s').innerText()).toBe('List');
    expect(await docs.page.getByText('Loading').count()).toBe(0);
    await docs.context.unroute('**/openapi.json');
  });

  test('shows the text of a contract without running or loading anything in it', async () => {
    await docs.open(server.port, '/docs#section/Introduction');
    const article = docs.page.getByRole('article');
    expect(await article.innerText()).toContain('What grows, and where. A picture');
    expect(await article.innerText()).toContain('A paragraph in HTML, with style=full.');
    expect(await article.locator('script, img, [style], [onclick], [onerror]').count()).toBe(0);
    expect(await article.getByRole('link', { name: 'link' }).getAttribute('href')).toBe('https://example.com/');
    expect(await article.getByText('another').getAttribute('href')).toBeNull();
    expect(await docs.page.title()).toBe('A garden · A garden');
    expect(docs.complaints).toEqual([]);
  });

  test('shows the description of a tag where its name leads', async () => {
    await docs.open(server.port);
    await docs.openOperation('beds');
    expect(await docs.page.getByRole('article').innerText()).toBe('beds\n\nThe beds.');
    expect(docs.page.url()).toBe(`${server.url}/docs#tag/beds`);
    expect(await docs.page.getByRole('navigation').getByRole('link', { name: 'plants', exact: true }).count()).toBe(0);
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('gives the headings of a text their levels in the page', async () => {
    await docs.open(server.port, '/docs#operation/replacePicture');
    const headings = await docs.page.evaluate<string[]>(
      `[...document.querySelectorAll('article :is(h1, h2, h3, h4, h5, h6)')].map(({ nodeName, textContent }) => nodeName + ' ' + textContent)`,
    );
    const ofText = ['H2 Sizes', 'H3 Colours', 'H2 Formats'];
    expect(headings).toEqual(['H1 Replace the picture', ...ofText, 'H2 Body required', 'H2 Responses']);
    expect(await docs.faults()).toEqual([]);
  });

  test('shows schemas with their limits, alternatives and fields within themselves', async () => {
    await docs.open(server.port, '/docs#schema/Plant');
    await docs.page.locator('summary', { hasText: 'Tree' }).click();
    const tree = docs.page.locator('details[open]').first();
    await tree.locator(':scope > .rows').waitFor();
    const rows = await tree.locator(':scope > .rows > .row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s/)[0])).toEqual(['kind', 'id', 'name', 'seen', 'offspring', 'height']);
    expect(rows[1]).toContain('-9223372036854775808 … 9223372036854775807');
    expect(rows[2]).toContain('1 … 80 characters');
    expect(rows[5]).toMatch(/required[^]*more than 0/);
    await tree.locator('summary', { hasText: 'Fields of each Plant' }).click();
    await tree.locator('summary', { hasText: 'Flower' }).waitFor();
    await tree.getByRole('link', { name: 'Plant' }).click();
    expect(docs.complaints).toEqual([]);
  });

  test.each(['operation/addPlant', 'schema/Plant'])('prints the alternatives of %s with their fields', async (at) => {
    await docs.open(server.port, `/docs#${at}`);
    await docs.page.emulateMedia({ media: 'print' });
    const printed = await docs.page.evaluate<string>(
      `dispatchEvent(new Event('beforeprint')), document.body.innerText`,
    );
    expect(printed).toMatch(/Flower[^]*\bcolour\b[^]*one of red, white[^]*Tree[^]*\bheight\b[^]*more than 0/);
    expect(docs.complaints).toEqual([]);
  });

  test('shows which value of a discriminator chooses a schema, and gives it in examples', async () => {
    const shown = async (name: string): Promise<unknown[]> => {
      await docs.open(server.port, `/docs#schema/${name}`);
      const example: unknown = JSON.parse(await docs.page.locator('article > pre').innerText());
      return [await docs.page.locator('article > details > summary').allInnerTexts(), example];
    };
    const flower = { kind: 'flower', id: 1, name: 'text', offspring: [], seen: '2030-01-31T12:00:00Z', colour: 'red' };
    expect(await shown('Plant')).toEqual([['Flower kind: flower', 'Tree kind: tree'], flower]);
    const spade = { kind: 'Spade', owner: 1, sharp: true };
    expect(await shown('Tool')).toEqual([['Spade kind: Spade'], spade]);
    expect(await shown('Spade')).toEqual([[], spade]);
    expect(docs.complaints).toEqual([]);
  });

  test.each([
    [
      'dark',
      'phone',
      PHONE,
      ['operation/listPlants', 'operation/addPlant', 'schema/Plant', 'authentication', 'section/Errors'],
    ],
    ['light', 'desktop', DESKTOP, ['operation/addPlant', 'schema/Plant', 'section/Errors']],
  ] as const)(
    'in %s colours on a %s has nothing that axe finds, and nothing that scrolls sideways, with everything unfolded',
    async (colorScheme, _device, viewport, addresses) => {
      const found: string[] = [];
      const backgrounds = new Set<string>();
      await docs.open(server.port, '/docs', viewport);
      await docs.page.emulateMedia({ colorScheme });
      for (const at of addresses) {
        const shown = docs.page.locator('h1:focus');
        await docs.page.evaluate(`document.activeElement.blur(); location.hash = '${at}';`);
        await shown.waitFor();
        const unfold = `document.querySelectorAll('main details').forEach((details) => details.unfold())`;
        // The second time unfolds what the first has shown.
        for (let depth = 1; depth <= 2; depth++) await docs.page.evaluate(unfold);
        if (at.startsWith('operation')) await docs.send();
        const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        if ((await docs.page.evaluate<number>(widths)) > 0) found.push(`${at}: it scrolls sideways`);
        found.push(...(await docs.faults()).map((fault) => `${at}: ${fault}`));
        backgrounds.add(await docs.page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
        expect(docs.complaints).toEqual([]);
      }
      expect(found).toEqual([]);
      expect([...backgrounds]).toEqual([colorScheme === 'dark' ? 'rgb(16, 22, 18)' : 'rgb(255, 255, 255)']);
    },
  );
});

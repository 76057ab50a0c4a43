import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLibrary } from 'test-support/installed-package.ts';
import { describeInBrowser } from './support/reference-page.ts';
import { serveFixture, type Served } from './support/serve.ts';

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));
const OPTIONS = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions'].concat([
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2023',
  '--types',
  'node',
]);

const NUMBER = { type: 'string', format: 'decimal' };
const WHEN = { type: 'string', format: 'date-time' };

describeInBrowser('in a browser, the samples in TypeScript', (docs) => {
  let server: Served;
  beforeAll(async () => {
    const schemes = ['token', 'key', 'login', 'admin', '2keys', 'session', 'provider'];
    const verifiers = Object.fromEntries(schemes.map((scheme) => [scheme, () => ({ name: 'gardener' })]));
    const formats = { 'date-time': 'Date', decimal: 'Decimal:decimal.js' };
    server = await serveFixture('garden.yaml', undefined, { verifiers, formats });
  });
  afterAll(() => server.close());

  /** The samples of an operation, one for each way to authenticate. */
  async function samplesOf(operation: string): Promise<string[]> {
    await docs.open(server.port, `/docs#operation/${operation}`);
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    const choice = docs.field('Authentication');
    if ((await choice.count()) === 0) return [await docs.code()];
    const samples: string[] = [];
    for (const way of await choice.locator('option').allInnerTexts()) {
      await choice.selectOption(way);
      samples.push(await docs.code());
    }
    return samples;
  }

  test('compile, strict, with what openapi-exact generate writes, and have no cast', async () => {
    const installed = await installLibrary();
    const garden = fileURLToPath(new URL('fixtures/garden.yaml', import.meta.url));
    await cp(garden, join(installed.folder, 'openapi.yaml'));
    await installed.run('node_modules/.bin/openapi-exact', ['generate', 'openapi.yaml', '--out', 'generated']);
    const operations = [
      'listPlants',
      'addPlant',
      'addPicture',
      'replacePicture',
      'searchOdd',
      'sendOdd',
      'note',
      'follow',
      'readLog',
      'sendChanges',
      'replaceLog',
    ];
    const names: string[] = [];
    const withClient = new Set<string>();
    for (const operation of operations) {
      for (const [index, sample] of (await samplesOf(operation)).entries()) {
        expect(sample).not.toMatch(/\bas\b|<any>|!\./);
        if (sample.includes('openapi-exact/client')) withClient.add(operation);
        names.push(`${operation}${index}.ts`);
        await installed.write(`${operation}${index}.ts`, sample);
      }
    }
    expect([...withClient]).toEqual(['listPlants', 'addPlant', 'readLog', 'sendChanges', 'replaceLog']);
    expect(await installed.run(process.execPath, [COMPILER, ...OPTIONS, ...names])).toBe('');
    await installed.remove();
    expect(docs.complaints).toEqual([]);
  });

  test('give the client its credentials by the names of the security schemes', async () => {
    const [token, both] = await samplesOf('listPlants');
    expect(token).toContain("  credentials: { token: process.env.TOKEN ?? '' },\n");
    expect(both).toContain("  credentials: { key: process.env.KEY ?? '', login: process.env.LOGIN ?? '' },\n");
    expect(docs.complaints).toEqual([]);
  });

  test('make the values that the client has from dates and decimals, at every place, and show their texts', async () => {
    const schema = {
      type: 'object',
      properties: {
        sown: WHEN,
        weights: { type: 'array', items: NUMBER },
        price: { anyOf: [{ type: 'number', format: 'decimal' }, { type: 'null' }] },
        note: { type: 'string' },
        never: { type: ['string', 'null'], format: 'date-time' },
      },
    };
    const example = { sown: '2030-01-31T12:00:00Z', weights: ['1.10', '2'], price: 0.1, note: '2030', never: null };
    const parameters = [
      { name: 'since', in: 'query', required: true, schema: WHEN, example: '2029-01-01T00:00:00+01:00' },
    ];
    const content = { 'application/json': { schema, example } };
    const responses = { '200': { description: 'All.', content } };
    const post = { summary: 'Sow', parameters, requestBody: { required: true, content }, responses };
    await docs.openContract(server.port, { paths: { '/beds': { post } } });
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect((await docs.code()).replaceAll(/\s+/g, ' ')).toContain(
      "import { Decimal } from 'decimal.js'; const client = createClient<paths>({ shapes, " +
        `baseUrl: '${server.url}', }); const { response, data } = await client.POST('/beds', { ` +
        "params: { query: { since: new Date('2029-01-01T00:00:00+01:00') } }, " +
        "body: { sown: new Date('2030-01-31T12:00:00Z'), weights: [new Decimal('1.10'), new Decimal('2')], " +
        "price: new Decimal('0.1'), note: '2030', never: null, }, });",
    );
    expect(await docs.field('since required').inputValue()).toBe('2029-01-01T00:00:00+01:00');
    const body = '{"sown":"2030-01-31T12:00:00.120Z","weights":["1.10"],"price":0.10}';
    await docs.context.route('**/beds*', (route) => route.fulfill({ contentType: 'application/json', body }));
    expect((await docs.send()).body.replaceAll(/\s/g, '')).toBe(body);
    await docs.context.unroute('**/beds*');
    expect(docs.complaints).toEqual([]);
  });
});

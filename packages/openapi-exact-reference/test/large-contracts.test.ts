import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { largeContract } from './support/large-contract.ts';
import { describeInBrowser, DESKTOP, PHONE } from './support/reference-page.ts';
import { serveFixture, type Served } from './support/serve.ts';

describeInBrowser('in a browser, the page of a large contract', (docs) => {
  let server: Served;
  beforeAll(async () => {
    server = await serveFixture('library.yaml', undefined, { verifiers: { bearerAuth: () => ({ name: 'me' }) } });
  });
  afterAll(() => server.close());

  const nav = () => docs.page.getByRole('navigation');
  const groups = async (): Promise<string[]> => nav().locator('summary:visible').allTextContents();
  const current = () => nav().locator('[aria-current]:visible');

  describe.each([100, 1000])('with %d operations', (count) => {
    const last = count - 1;
    const area = `area ${count / 100 - 1}`;
    const open = (at: string, viewport = DESKTOP): Promise<void> =>
      docs.openContract(server.port, largeContract(count), at, viewport);

    test('opens at what a link names, and shows where that is among nested tags', async () => {
      await open(`#operation/replaceThing${last}`);
      expect(await docs.page.getByRole('heading', { level: 1 }).innerText()).toBe(`Replace thing ${last}`);
      expect(await current().innerText()).toBe(`PUT\nReplace thing ${last}`);
      const areas = Array.from({ length: count / 100 }, (_, index) => `area ${index} 100`);
      const teams = Array.from({ length: 10 }, (_, index) => `team ${area.slice(5)}.${index} 10`);
      expect(await groups()).toEqual(['Start 1', ...areas, ...teams, 'Operations 2', `Schemas ${count + 2}`]);
      await docs.page.evaluate(`location.hash = '#schema/Thing42'`);
      await docs.page.getByRole('heading', { level: 1, name: 'Thing42' }).waitFor();
      expect(await current().innerText()).toBe('Thing42');
      await docs.page.goBack();
      await docs.page.getByRole('heading', { level: 1, name: `Replace thing ${last}` }).waitFor();
      expect(docs.complaints).toEqual([]);
    });

    test('finds each operation by its name, path or id, the best first, with the keyboard alone', async () => {
      await open('');
      await docs.page.keyboard.press('/');
      for (const text of [
        `replace THING ${last}`,
        `/things${last}/{id}`,
        `replacething${last}`,
        `put /things${last}/`,
      ]) {
        await docs.page.getByLabel('Search').fill(text);
        expect([text, await nav().getByRole('link').first().innerText()]).toEqual([text, `PUT\nReplace thing ${last}`]);
      }
      await docs.page.getByLabel('Search').fill(`${area} thing`);
      expect(await nav().getByRole('link').count()).toBe(100);
      expect(await nav().getByRole('status').innerText()).toMatch(/^\d+ results/);
      await docs.page.keyboard.press('ArrowDown');
      await docs.page.keyboard.press('ArrowDown');
      const second = await nav().getByRole('link').nth(1).innerText();
      await docs.page.keyboard.press('Enter');
      await docs.page.locator('h1:focus', { hasText: second.split('\n')[1] ?? '' }).waitFor();
      const marked = current().filter({ hasText: new RegExp(`^${second.replace('\n', ' ')}$`) });
      await marked.waitFor();
      await docs.page.getByLabel('Search').fill('');
      await marked.waitFor();
      expect(docs.complaints).toEqual([]);
    });

    test('unfolds its tags with the keyboard, and says what a tag is', async () => {
      await open('#schema/Id');
      await docs.tabTo(nav().locator('summary', { hasText: area }));
      await docs.page.keyboard.press('Enter');
      await nav()
        .locator('summary', { hasText: `team ${area.slice(5)}.0` })
        .waitFor();
      await docs.page.keyboard.press('ArrowDown');
      expect(await docs.isFocused(nav().getByRole('link', { name: `About ${area}` }))).toBe(true);
      await docs.page.keyboard.press('Enter');
      await docs.page.locator('h1:focus', { hasText: area }).waitFor();
      expect(await docs.page.getByRole('article').innerText()).toBe(`${area}\n\nThe ${area}.`);
      expect(docs.complaints).toEqual([]);
    });

    test.each([
      ['light', 'desktop', DESKTOP],
      ['dark', 'phone', PHONE],
    ] as const)('in %s colours on a %s has nothing that axe finds', async (colorScheme, _device, viewport) => {
      await open(`#operation/replaceThing${last}`, viewport);
      await docs.page.emulateMedia({ colorScheme });
      const found = await docs.faults();
      if (viewport === PHONE) await docs.page.getByRole('button', { name: 'Contents' }).click();
      found.push(...(await docs.faults()));
      await docs.page.getByLabel('Search').fill('thing');
      found.push(...(await docs.faults()));
      expect(found).toEqual([]);
      expect(await docs.page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      expect(docs.complaints).toEqual([]);
    });

    test('tries its forms, files and event streams', async () => {
      await open('#operation/sendMessage');
      const sent: [string | undefined, string][] = [];
      await docs.context.route('**/messages', async (route) => {
        const request = route.request();
        if (request.method() === 'GET') {
          await route.fulfill({ contentType: 'text/event-stream', body: 'data: one\n\ndata: two\n\n' });
          return;
        }
        sent.push([request.headers()['content-type'], request.postData() ?? '']);
        await route.fulfill({ status: 204 });
      });
      await docs.field('id required').fill('9007199254740993');
      await docs.field('note').fill('a & b');
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
      await docs.field('Media type').selectOption('multipart/form-data');
      const file = { name: 'rose.txt', mimeType: 'text/plain', buffer: Buffer.from('petals') };
      await docs.field('file required').setInputFiles(file);
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
      expect(sent).toEqual([
        ['application/x-www-form-urlencoded', 'id=9007199254740993&note=a%20%26%20b'],
        [expect.stringMatching(/^multipart\/form-data; boundary=/), expect.stringContaining('filename="rose.txt"')],
      ]);
      await docs.page.getByLabel('Search').fill('follow');
      await docs.page.keyboard.press('Enter');
      await docs.page.getByRole('heading', { level: 1, name: 'Follow the messages' }).waitFor();
      await docs.page.getByLabel('Search').fill('');
      expect(await docs.send()).toMatchObject({ status: '200 OK', body: expect.stringMatching(/one[^]*two/) });
      await docs.context.unroute('**/messages');
      expect(docs.complaints).toEqual([]);
    });
  });

  test('shows tags within tags by parent and by x-tagGroups, under their display names, and no circle', async () => {
    const paths = Object.fromEntries(
      ['cats', 'dogs', 'trees', 'a', 'b', 'lost', 'none'].map((tag) => [
        `/${tag}`,
        { get: { summary: `List ${tag}`, ...(tag !== 'none' && { tags: [tag] }), responses: {} } },
      ]),
    );
    const tags = [
      { name: 'animals', summary: 'All animals', description: 'What moves.' },
      { name: 'cats', parent: 'animals' },
      { name: 'dogs', parent: 'animals', 'x-displayName': 'Good dogs' },
      { name: 'a', parent: 'b' },
      { name: 'b', parent: 'a' },
      { name: 'lost', parent: 'nowhere' },
      { name: 'unused', parent: 'animals' },
    ];
    await docs.openContract(server.port, { tags, 'x-tagGroups': [{ name: 'Plants', tags: ['trees'] }], paths });
    expect(await nav().locator('.group:visible').allInnerTexts()).toEqual([
      ...['START', 'PLANTS', 'TREES', 'ALL ANIMALS', 'CATS', 'GOOD DOGS', 'A', 'B', 'LOST', 'OPERATIONS'],
    ]);
    await docs.page.getByLabel('Search').fill('good DOGS');
    expect(await nav().getByRole('link').allInnerTexts()).toEqual(['GET\nList dogs']);
    await docs.page.getByLabel('Search').fill('');
    await nav().getByRole('link', { name: 'All animals' }).click();
    await docs.page.getByRole('heading', { level: 1, name: 'All animals' }).waitFor();
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });
});

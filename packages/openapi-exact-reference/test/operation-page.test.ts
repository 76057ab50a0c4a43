import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { box, describeInBrowser, DESKTOP, PHONE, type Box } from './support/reference-page.ts';
import { serveFixture, type Served } from './support/serve.ts';

const NEIGHBOURS = [9007199254740992n, 9007199254740994n, 9223372036854775806n];
const BOOKS = [12n, 9007199254740993n, 9223372036854775807n, ...NEIGHBOURS];
const AT_DELETE = '/docs#operation/deleteBook';
const TOKEN = 'the-token';
const verifiers = { bearerAuth: (token: string) => (token === TOKEN ? { name: 'librarian' } : undefined) };

function hides(front: Box, back: Box): boolean {
  return front.left < back.right && back.left < front.right && front.top < back.bottom && back.top < front.bottom;
}

describeInBrowser('in a browser, the page of an operation', (docs) => {
  let books: Set<bigint>;
  let service: Served;

  beforeAll(async () => {
    const deleteBook = ({ params: { id } }: { params: { id: bigint } }): { status: number; body?: object } =>
      books.delete(id)
        ? { status: 204 }
        : { status: 404, body: { code: 'unknown', message: `There is no book with the id ${id}.` } };
    service = await serveFixture('library.yaml', { deleteBook }, { verifiers });
  });
  beforeEach(() => {
    books = new Set(BOOKS);
  });
  afterAll(() => service.close());

  test('shows an operation first: on the first screen its title, id, a sample and the button to send, and the error codes behind a link', async () => {
    await docs.open(service.port, AT_DELETE);
    const screen = { left: 0, right: DESKTOP.width, top: 0, bottom: DESKTOP.height };
    const parts = {
      search: docs.page.getByRole('searchbox', { name: 'Search' }),
      title: docs.page.getByRole('heading', { level: 1 }),
      sample: docs.page.locator('.sample'),
      id: docs.field('id required'),
      send: docs.page.getByRole('button', { name: 'Send' }),
      success: docs.page.locator('.responses .line').first(),
    };
    for (const [name, part] of Object.entries(parts)) {
      const { bottom, right } = await box(part);
      expect([name, bottom <= screen.bottom && right <= screen.right]).toEqual([name, true]);
    }
    // The sample is beside the operation, not below it.
    expect((await box(parts.sample)).left).toBeGreaterThan((await box(parts.title)).right);
    await docs.page.getByRole('article').getByRole('link', { name: 'Errors' }).click();
    await docs.page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    expect(await docs.page.getByRole('row').count()).toBe(3);
    expect(await docs.page.title()).toBe('Errors · A library');
    expect(docs.complaints).toEqual([]);
  });

  test('shows an operation first, and links to the contract', async () => {
    await docs.open(service.port, '/docs/');
    expect(docs.page.url()).toBe(`${service.url}/docs`);
    expect(await docs.page.getByRole('button', { name: 'Send' }).count()).toBe(1);
    const link = docs.page.getByRole('link', { name: 'openapi.yaml' });
    expect(await link.getAttribute('href')).toBe(`${service.url}/docs/openapi.yaml`);
    expect(docs.complaints).toEqual([]);
  });

  test('says so when it cannot load the contract', async () => {
    await docs.context.route('**/openapi.json', (route) => route.fulfill({ status: 503 }));
    await docs.page.goto(`${service.url}/docs`);
    await docs.page.getByText('The contract cannot be shown: /docs/openapi.json is answered with 503.').waitFor();
    await docs.context.unroute('**/openapi.json');
  });

  test('deletes the book whose id was entered, and no other', async () => {
    await docs.open(service.port, AT_DELETE);
    await docs.token().fill(TOKEN);
    expect(await docs.field('id required').inputValue()).toBe('12');
    for (const id of [9007199254740993n, 9223372036854775807n]) {
      await docs.field('id required').fill(String(id));
      const url = `http://127.0.0.1:${service.port}/v1/books/${id}`;
      expect(await docs.send()).toMatchObject({ status: '204 No Content', url, body: '' });
      const body = `{\n  "code": "unknown",\n  "message": "There is no book with the id ${id}."\n}`;
      const refused = await docs.send();
      expect(refused).toMatchObject({ status: '404 Not Found', url, body });
      expect(refused.headers).toMatch(/^date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/m);
    }
    expect([...books]).toEqual([12n, ...NEIGHBOURS]);
    expect(docs.complaints).toEqual([]);
  });

  test.each(['', '.', '..'])('sends nothing for the id "%s", says why, and leaves no former response', async (id) => {
    await docs.open(service.port, AT_DELETE);
    await docs.token().fill(TOKEN);
    await docs.send();
    await docs.field('id required').fill(id);
    await docs.page.getByRole('button', { name: 'Send' }).click();
    expect(await docs.page.getByRole('alert').innerText()).toMatch(/^id (is required|must be a name other than)/);
    expect(await docs.isFocused(docs.field('id required').and(docs.page.locator('[aria-invalid]')))).toBe(true);
    expect(await docs.page.locator('.response').innerText()).toBe('');
    expect(docs.complaints).toEqual([]);
  });

  test('takes a token behind the word Bearer, hides it until it is to be shown, and keeps none', async () => {
    await docs.open(service.port, AT_DELETE);
    await docs.token().fill('Bearer wrong');
    expect(await docs.token().getAttribute('type')).toBe('password');
    const show = docs.page.getByRole('button', { name: 'Show: Access token' });
    await show.click();
    expect(await show.getAttribute('aria-pressed')).toBe('true');
    expect(await docs.token().getAttribute('type')).toBe('text');
    await show.click();
    expect(await docs.token().getAttribute('type')).toBe('password');
    const { status, body } = await docs.send();
    expect(status).toBe('401 Unauthorized');
    expect(body).toContain('"code": "invalidCredentials"');
    expect([...books]).toHaveLength(BOOKS.length);
    expect(await docs.page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
      0,
      0,
      '',
    ]);
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await docs.page.getByRole('button', { name: language }).click();
      expect(await docs.sample()).not.toContain('wrong');
    }
    await docs.token().fill(`Bearer ${TOKEN}`);
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(docs.complaints).toEqual([]);
  });

  test('shows each request as code before anything is sent: for curl, TypeScript and Python', async () => {
    await docs.open(service.port, AT_DELETE);
    await docs.field('id required').fill('9007199254740993');
    const url = `${service.url}/v1/books/9007199254740993`;
    expect(await docs.sample()).toBe(`curl -X DELETE \\\n  -H "Authorization: Bearer $TOKEN" \\\n  ${url}`);
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.sample()).toContain(
      "await client.DELETE('/books/{id}', { params: { path: { id: 9007199254740993n } } });",
    );
    await docs.page.getByRole('button', { name: 'Python' }).click();
    expect(await docs.sample()).toContain(
      `requests.delete(\n    "${url}",\n    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},`,
    );
    expect(docs.complaints).toEqual([]);
  });

  test('works with the keyboard alone', async () => {
    await docs.open(service.port, '/docs#schema/Book');
    await docs.tabTo(docs.page.getByRole('link', { name: 'Delete a book' }));
    await docs.page.keyboard.press('Enter');
    // A screen reader says where the link has led.
    await docs.page.locator('h1:focus', { hasText: 'Delete a book' }).waitFor();
    await docs.tabTo(docs.page.locator('summary', { hasText: '404' }));
    await docs.page.keyboard.press('Enter');
    await docs.page.locator('.responses pre', { hasText: 'There is no book 12.' }).waitFor();
    await docs.tabTo(docs.token());
    await docs.page.keyboard.type(TOKEN);
    await docs.tabTo(docs.field('id required'));
    await docs.page.keyboard.press('Control+A');
    await docs.page.keyboard.type('9223372036854775807');
    await docs.page.keyboard.press('Enter');
    await docs.page.getByRole('status').filter({ hasText: '204' }).waitFor();
    expect([...books]).not.toContain(9223372036854775807n);
    expect([...books]).toHaveLength(BOOKS.length - 1);
    expect(docs.complaints).toEqual([]);
  });

  test('says the status of a response in an element that was there before, for a screen reader', async () => {
    await docs.open(service.port, AT_DELETE);
    await docs.page.evaluate(`globalThis.status_ = document.querySelector('.response [role="status"]'); 0`);
    await docs.send();
    expect(await docs.page.evaluate('status_.isConnected && status_.textContent')).toMatch(
      /^401 Unauthorized · \d+ ms$/,
    );
    await docs.send();
    expect(await docs.page.evaluate('status_.isConnected && status_.textContent')).toMatch(
      /^401 Unauthorized · \d+ ms$/,
    );
    expect(docs.complaints).toEqual([]);
  });

  test('works on a phone: nothing scrolls sideways, no button hides the id, and the contents open on demand', async () => {
    await docs.open(service.port, AT_DELETE, PHONE);
    await docs.token().fill(TOKEN);
    await docs.field('id required').fill('9007199254740993');
    await docs.send();
    expect(await docs.send()).toMatchObject({ status: '404 Not Found' });
    const wide = `[...document.querySelectorAll('.panel, .panel pre')].filter((part) => part.scrollWidth > part.clientWidth)`;
    expect(await docs.page.evaluate(`${wide}.map((part) => part.className)`)).toEqual([]);
    const id = await box(docs.field('id required'));
    for (const control of await docs.page.locator('button:visible, input:visible, select:visible').all()) {
      const place = await box(control);
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.right).toBeLessThanOrEqual(PHONE.width);
    }
    for (const name of ['Copy', 'Send', 'Show: Access token']) {
      const button = await box(docs.page.getByRole('button', { name }));
      expect([name, hides(button, id), hides(button, await box(docs.page.locator('.sample')))]).toEqual([
        name,
        false,
        false,
      ]);
    }
    expect(await docs.page.getByRole('navigation').count()).toBe(0);
    await docs.page.getByRole('button', { name: 'Contents' }).click();
    await docs.openOperation('Authentication');
    expect(await docs.page.getByRole('navigation').count()).toBe(0);
    // The same once more: the address stays.
    await docs.page.getByRole('button', { name: 'Contents' }).click();
    await docs.openOperation('Authentication');
    expect(await docs.page.getByRole('navigation').count()).toBe(0);
    await docs.page.getByLabel('Search').fill('authentication');
    expect(await docs.page.getByRole('navigation').count()).toBe(1);
    await docs.page.keyboard.press('Enter');
    expect(await docs.page.getByRole('navigation').count()).toBe(0);
    expect(docs.complaints).toEqual([]);
  });

  test('copies a sample', async () => {
    await docs.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await docs.open(service.port, AT_DELETE);
    await docs.page.getByRole('button', { name: 'Copy' }).click();
    await docs.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await docs.page.evaluate('navigator.clipboard.readText()')).toBe(await docs.sample());
    expect(docs.complaints).toEqual([]);
  });

  test('prints an operation with all its responses, dark on white, without fields', async () => {
    await docs.open(service.port, AT_DELETE);
    await docs.page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    // A browser prints what is there when its listeners have returned.
    const printed = await docs.page.evaluate<string>(
      `dispatchEvent(new Event('beforeprint')), document.body.innerText`,
    );
    expect(printed).toContain('"code": "unknown"');
    expect(printed).toContain('"code": "overloaded"');
    expect(printed).toContain('curl -X DELETE');
    expect(await docs.page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await docs.page.getByRole('navigation').count()).toBe(0);
    const brightness = (property: string): string =>
      `getComputedStyle(document.querySelector('.panel')).${property}.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)`;
    expect(await docs.page.evaluate(brightness('backgroundColor'))).toBe(3 * 255);
    expect(await docs.page.evaluate(brightness('color'))).toBeLessThan(150);
    expect(docs.complaints).toEqual([]);
  });
});

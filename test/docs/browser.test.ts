import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import { execFile, spawn } from 'node:child_process';
import { EventEmitter, on } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { serveContract, type ContractServer } from '../support/contract-server.ts';
import { DELETE_PLANT, plantsIn, startService, type Service } from '../support/service.ts';
import { inTemporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const browser = await launchBrowser();
const inBrowser = browser === undefined ? describe.skip : describe;
const NEIGHBOURS = [9007199254740992n, 9007199254740994n, 9223372036854775806n];
const PLANTS = [12n, 9007199254740993n, 9223372036854775807n, ...NEIGHBOURS];
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The operation of the plant store that all contracts of it have. */
const AT_DELETE = `/docs#operation/${DELETE_PLANT}`;

let service: Service;
/** What a browser caches, such as the scripts of the page, is there for the next test. */
let context: BrowserContext;
let page: Page;
/** What the browser complains of, and requests that leave the service. */
let complaints: string[];
/** How the URLs of the service begin. */
let served: string;

beforeAll(newTab);
afterAll(() => browser?.close());

/** Opens an address of a service in the tab of the context, whose renderer is there already. */
async function open(port: number, at = '/docs', viewport = DESKTOP): Promise<void> {
  await page.goto('about:blank');
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme: null });
  complaints = [];
  served = `http://127.0.0.1:${port}/`;
  await page.goto(`http://127.0.0.1:${port}${at}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Opens the page as it shows a contract that the service does not have. */
async function openContract(port: number, document: object): Promise<void> {
  const info = { title: 'A contract', version: '1.0.0' };
  const json = { openapi: '3.1.0', info, paths: {}, ...document };
  await context.route('**/openapi.json', (route) => route.fulfill({ json }));
  await open(port);
  await context.unroute('**/openapi.json');
}

/** Sends the request of the operation that is open, and shows another response. */
async function sendFor(response: object): ReturnType<typeof send> {
  await context.route('**/notes', (route) => route.fulfill(response));
  const shown = await send();
  await context.unroute('**/notes');
  return shown;
}

async function newTab(): Promise<void> {
  if (browser === undefined) return;
  context = await browser.newContext();
  // Below the limit of a test: other tests keep the machine busy.
  context.setDefaultTimeout(100_000);
  page = await context.newPage();
  page.on('console', (message) => {
    // Chromium logs each response of 400 and more, which is not an error of the page.
    if (!message.text().startsWith('Failed to load resource: the server responded with a status of 4'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(served)) complaints.push(request.url());
  });
}

/** Follows a link of the contents. */
async function openOperation(name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

const field = (label: string): Locator => page.locator('.panel').getByLabel(label, { exact: true });
const token = (): Locator => page.getByLabel('Access token', { exact: true });
const sample = (): Promise<string> => page.locator('.panel .sample').innerText();
/** A sample with its spaces, which are not all shown. */
const code = async (): Promise<string> => (await page.locator('.panel .sample').textContent()) ?? '';

/** Sends the request and returns what the page shows of the response, which comes into view. */
async function send(): Promise<{ status: string; url: string; body: string; headers: string }> {
  const answered = page.waitForResponse((response) => !response.url().includes('/docs'));
  await page.getByRole('button', { name: 'Send' }).click();
  const url = (await answered).url();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  const shown = page.getByRole('status').filter({ hasText: /^\d/ });
  const { y = -1 } = (await shown.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  expect(await page.getByRole('heading', { name: 'Response', exact: true }).count()).toBe(1);
  const body = page.locator('.response-body');
  return {
    status: (await shown.innerText()).split(' ·')[0] ?? '',
    url,
    body: (await body.count()) === 0 ? '' : await body.innerText(),
    headers: await page.locator('.response .headers').innerText(),
  };
}

async function isFocused(target: Locator): Promise<boolean> {
  return (await target.and(page.locator(':focus')).count()) === 1;
}

/** Presses Tab until something is reached. */
async function tabTo(target: Locator): Promise<void> {
  for (let count = 0; count < 300; count++) {
    await page.keyboard.press('Tab');
    if (await isFocused(target)) return;
  }
  throw new Error('The keyboard does not reach it.');
}

/** What axe finds on the page, each with its rule and place. */
async function faults(): Promise<string[]> {
  // Scripts of a test run beside the policy of the page.
  if (await page.evaluate(`typeof axe === 'undefined'`)) await page.evaluate(`${axe.source}; 0`);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

async function* eventsOf(notes: AsyncIterable<unknown[]>): AsyncGenerator<object> {
  for await (const [data] of notes) yield { data };
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly value?: unknown;
  readonly body?: Readable;
}

function isParts(body: unknown): body is AsyncIterable<Part> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Runs the sample of each language in a folder; that of Python where its package is installed. */
async function runSamples(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  await page.getByRole('button', { name: 'curl' }).click();
  await run('sh', ['-c', (await code()).replace('curl', 'curl -s -f')], options);
  await page.getByRole('button', { name: 'TypeScript' }).click();
  // Such a sample is JavaScript, too.
  await run(process.execPath, ['--input-type=module', '-e', await code()], options);
  await page.getByRole('button', { name: 'Python' }).click();
  if (hasRequests) await run('python3', ['-c', await code()], options);
}

async function box(of: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> {
  const found = await of.boundingBox();
  if (found === null) throw new Error('It is not shown.');
  return { left: found.x, right: found.x + found.width, top: found.y, bottom: found.y + found.height };
}

function hides(front: { left: number; right: number; top: number; bottom: number }, back: typeof front): boolean {
  return front.left < back.right && back.left < front.right && front.top < back.bottom && back.top < front.bottom;
}

inBrowser('in a browser, the API reference', () => {
  beforeAll(async () => {
    service = await startService([], undefined, { docs: true });
  });
  beforeEach(() => service.stores.plants.insertPlants(PLANTS));
  afterAll(() => service.close());

  test('shows an operation first: on the first screen its title, id, a sample and the button to send, and the error codes behind a link', async () => {
    await open(service.port, AT_DELETE);
    const screen = { left: 0, right: DESKTOP.width, top: 0, bottom: DESKTOP.height };
    const parts = {
      search: page.getByRole('searchbox', { name: 'Search' }),
      title: page.getByRole('heading', { level: 1 }),
      sample: page.locator('.sample'),
      id: field('id required'),
      send: page.getByRole('button', { name: 'Send' }),
      success: page.locator('.responses .line').first(),
    };
    for (const [name, part] of Object.entries(parts)) {
      const { bottom, right } = await box(part);
      expect([name, bottom <= screen.bottom && right <= screen.right]).toEqual([name, true]);
    }
    // The sample is beside the operation, not below it.
    expect((await box(parts.sample)).left).toBeGreaterThan((await box(parts.title)).right);
    expect(await page.getByText('40901').count()).toBe(0);
    await page.getByRole('article').getByRole('link', { name: 'Errors' }).click();
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    expect(await page.getByRole('row').count()).toBeGreaterThan(30);
    expect(await page.title()).toBe('Errors · Plant Store Service Interface');
    expect(complaints).toEqual([]);
  });

  test('is where / leads to, with an operation shown, and links to the contract', async () => {
    await open(service.port, '/');
    expect(page.url()).toBe(`${service.url}/docs`);
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(1);
    const link = page.getByRole('link', { name: 'openapi.yaml' });
    expect(await link.getAttribute('href')).toBe(`${service.url}/openapi.yaml`);
    expect(complaints).toEqual([]);
  });

  test('says so when it cannot load the contract', async () => {
    await context.route('**/openapi.json', (route) => route.fulfill({ status: 503 }));
    await page.goto(`${service.url}/docs`);
    await page.getByText('The contract cannot be shown: /openapi.json is answered with 503.').waitFor();
    await context.unroute('**/openapi.json');
  });

  test('deletes the plant whose id was entered, and no other', async () => {
    await open(service.port, AT_DELETE);
    await token().fill(service.token);
    expect(await field('id required').inputValue()).toBe('12');
    for (const id of [9007199254740993n, 9223372036854775807n]) {
      await field('id required').fill(String(id));
      const url = `http://127.0.0.1:${service.port}/plants/${id}`;
      expect(await send()).toMatchObject({ status: '204 No Content', url, body: '' });
      const body = `{\n  "error": 40401,\n  "message": "There is no plant with the id ${id}."\n}`;
      const refused = await send();
      expect(refused).toMatchObject({ status: '404 Not Found', url, body });
      expect(refused.headers).toMatch(/^date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/m);
    }
    expect(await plantsIn(service.stores)).toEqual([12n, ...NEIGHBOURS]);
    expect(complaints).toEqual([]);
  });

  test.each(['', '.', '..'])('sends nothing for the id "%s", says why, and leaves no former response', async (id) => {
    await open(service.port, AT_DELETE);
    await token().fill(service.token);
    await send();
    await field('id required').fill(id);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/^id (is required|must be a name other than)/);
    expect(await isFocused(field('id required').and(page.locator('[aria-invalid]')))).toBe(true);
    expect(await page.locator('.response').innerText()).toBe('');
    expect(complaints).toEqual([]);
  });

  test('takes a token behind the word Bearer, hides it until it is to be shown, and keeps none', async () => {
    await open(service.port, AT_DELETE);
    await token().fill('Bearer wrong');
    expect(await token().getAttribute('type')).toBe('password');
    const show = page.getByRole('button', { name: 'Show: Access token' });
    await show.click();
    expect(await show.getAttribute('aria-pressed')).toBe('true');
    expect(await token().getAttribute('type')).toBe('text');
    await show.click();
    expect(await token().getAttribute('type')).toBe('password');
    const { status, body } = await send();
    expect(status).toBe('401 Unauthorized');
    expect(body).toContain('"error": 40101');
    expect(await plantsIn(service.stores)).toHaveLength(PLANTS.length);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await page.getByRole('button', { name: language }).click();
      expect(await sample()).not.toContain('wrong');
    }
    await token().fill(`Bearer ${service.token}`);
    expect(await send()).toMatchObject({ status: '204 No Content' });
    expect(complaints).toEqual([]);
  });

  test('shows each request as code before anything is sent: for curl, TypeScript and Python', async () => {
    await open(service.port, AT_DELETE);
    await field('id required').fill('9007199254740993');
    const url = `${service.url}/plants/9007199254740993`;
    expect(await sample()).toBe(`curl -X DELETE \\\n  -H "Authorization: Bearer $TOKEN" \\\n  ${url}`);
    await page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await sample()).toContain(
      "await client.DELETE('/plants/{id}', { params: { path: { id: 9007199254740993n } } });",
    );
    await page.getByRole('button', { name: 'Python' }).click();
    expect(await sample()).toContain(
      `requests.delete(\n    "${url}",\n    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},`,
    );
    expect(complaints).toEqual([]);
  });

  test('works with the keyboard alone', async () => {
    await open(service.port, '/docs#schema/Plant');
    await tabTo(page.getByRole('link', { name: 'Delete a plant' }));
    await page.keyboard.press('Enter');
    // A screen reader says where the link has led.
    await page.locator('h1:focus', { hasText: 'Delete a plant' }).waitFor();
    await tabTo(page.locator('summary', { hasText: '404' }));
    await page.keyboard.press('Enter');
    await page.locator('.responses pre', { hasText: '40401' }).waitFor();
    await tabTo(token());
    await page.keyboard.type(service.token);
    await tabTo(field('id required'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('9223372036854775807');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: '204' }).waitFor();
    expect(await plantsIn(service.stores)).not.toContain(9223372036854775807n);
    expect(await plantsIn(service.stores)).toHaveLength(PLANTS.length - 1);
    expect(complaints).toEqual([]);
  });

  test('says the status of a response in an element that was there before, for a screen reader', async () => {
    await open(service.port, AT_DELETE);
    await page.evaluate(`globalThis.status_ = document.querySelector('.response [role="status"]'); 0`);
    await send();
    expect(await page.evaluate('status_.isConnected && status_.textContent')).toMatch(/^401 Unauthorized · \d+ ms$/);
    await send();
    expect(await page.evaluate('status_.isConnected && status_.textContent')).toMatch(/^401 Unauthorized · \d+ ms$/);
    expect(complaints).toEqual([]);
  });

  test('works on a phone: nothing scrolls sideways, no button hides the id, and the contents open on demand', async () => {
    await open(service.port, AT_DELETE, PHONE);
    await token().fill(service.token);
    await field('id required').fill('9007199254740993');
    await send();
    expect(await send()).toMatchObject({ status: '404 Not Found' });
    const wide = `[...document.querySelectorAll('.panel, .panel pre')].filter((part) => part.scrollWidth > part.clientWidth)`;
    expect(await page.evaluate(`${wide}.map((part) => part.className)`)).toEqual([]);
    const id = await box(field('id required'));
    for (const control of await page.locator('button:visible, input:visible, select:visible').all()) {
      const place = await box(control);
      expect(place.left).toBeGreaterThanOrEqual(0);
      expect(place.right).toBeLessThanOrEqual(PHONE.width);
    }
    for (const name of ['Copy', 'Send', 'Show: Access token']) {
      const button = await box(page.getByRole('button', { name }));
      expect([name, hides(button, id), hides(button, await box(page.locator('.sample')))]).toEqual([
        name,
        false,
        false,
      ]);
    }
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByRole('button', { name: 'Contents' }).click();
    await openOperation('Authentication');
    expect(await page.getByRole('navigation').count()).toBe(0);
    // The same once more: the address stays.
    await page.getByRole('button', { name: 'Contents' }).click();
    await openOperation('Authentication');
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByLabel('Search').fill('authentication');
    expect(await page.getByRole('navigation').count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('copies a sample', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(service.port, AT_DELETE);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await sample());
    expect(complaints).toEqual([]);
  });

  test('prints an operation with all its responses, dark on white, without fields', async () => {
    await open(service.port, AT_DELETE);
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    // A browser prints what is there when its listeners have returned.
    const printed = await page.evaluate<string>(`dispatchEvent(new Event('beforeprint')), document.body.innerText`);
    expect(printed).toContain('"error": 40401');
    expect(printed).toContain('"error": 50300');
    expect(printed).toContain('curl -X DELETE');
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await page.getByRole('navigation').count()).toBe(0);
    const brightness = (property: string): string =>
      `getComputedStyle(document.querySelector('.panel')).${property}.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)`;
    expect(await page.evaluate(brightness('backgroundColor'))).toBe(3 * 255);
    expect(await page.evaluate(brightness('color'))).toBeLessThan(150);
    expect(complaints).toEqual([]);
  });
});

inBrowser('in a browser, the API reference of any contract', () => {
  /** What the handlers have received. */
  let received: unknown[];
  let server: ContractServer;
  /** Each of its events is one of a response that does not end. */
  const notes = new EventEmitter();
  const verify = (secret: unknown): Promise<{ name: string }> => {
    received.push(secret);
    return Promise.resolve({ name: 'gardener' });
  };
  const schemes = ['token', 'key', 'login', 'admin', '2keys', 'session', 'provider'];

  const receive = ({ params, query, body }: { params: unknown; query: unknown; body?: unknown }): void => {
    received.push({ params, query, ...(body !== undefined && { body }) });
  };
  const handlers = {
    listPlants: (request: never) => {
      receive(request);
      return { status: 200, headers: { 'X-Total': 9007199254740993n }, body: [] };
    },
    addPlant: (request: never) => {
      receive(request);
      return { status: 201, body: { kind: 'flower', id: 9007199254740995n, name: 'Rose' } };
    },
    addPicture: async ({ body }: { body: AsyncIterable<{ name: string; value?: unknown; body?: Readable }> }) => {
      for await (const { name, value, body: file } of body) {
        received.push([name, file === undefined ? value : await text(file)]);
      }
      return { status: 204 };
    },
    searchOdd: ({ params, query, cookies }: { params: unknown; query: unknown; cookies: unknown }) => {
      received.push({ params, query, cookies });
      return { status: 204 };
    },
    sendOdd: async ({ body }: { body: unknown }) => {
      if (!isParts(body)) received.push(body);
      else
        for await (const { name, filename, contentType, value, body: file } of body)
          received.push(file === undefined ? [name, value] : [name, filename, contentType, await text(file)]);
      return { status: 204 };
    },
    replacePicture: async ({ contentType, body }: { contentType: string; body: Readable }) => {
      received.push([contentType, await text(body)]);
      return { status: 204 };
    },
    note: ({ body }: { body: unknown }) => {
      received.push(body);
      return { status: 204 };
    },
    follow: () => ({ status: 200, contentType: 'text/event-stream', body: eventsOf(on(notes, 'note')) }),
  };

  beforeAll(async () => {
    server = await serveContract(
      new URL('../fixtures/contracts/docs-any.yaml', import.meta.url),
      handlers,
      Object.fromEntries(schemes.map((scheme) => [scheme, verify])),
      { docs: true },
    );
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(() => server.close());

  test('sends parameters of every style, with each int64 exact', async () => {
    await open(server.port);
    await openOperation('List the plants of a bed');
    await token().fill('secret');
    await field('near, one item in each line').fill('9223372036854775807\n-9223372036854775808');
    await field('joined, one item in each line').fill('a|b\nc d');
    await field('filter, JSON').fill('{"colour": "réd & white", "id": 9007199254740993}');
    await field('sort').selectOption('age');
    await field('wild').selectOption('true');
    await field('X-Trace').fill('9007199254740993');
    const { url, headers } = await send();
    expect(url).toBe(
      `${server.url}/beds/9007199254740993/plants?near=9223372036854775807&near=-9223372036854775808&joined=a%7Cb%7Cc%20d` +
        '&filter%5Bcolour%5D=r%C3%A9d%20%26%20white&filter%5Bid%5D=9007199254740993&sort=age&wild=true',
    );
    expect(headers).toContain('x-total: 9007199254740993');
    expect(received).toMatchObject([
      'secret',
      {
        params: { bed: 9007199254740993n },
        query: {
          near: [9223372036854775807n, -9223372036854775808n],
          filter: { colour: 'réd & white', id: 9007199254740993n },
          sort: 'age',
          wild: true,
        },
      },
    ]);
    await field('filter, JSON').fill('{"colour"');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('filter must be JSON.');
    expect(complaints).toEqual([]);
  });

  test('sends JSON from a framed editor of fixed width, and shows the examples of the contract and the response with each int64 exact', async () => {
    await open(server.port, '/docs#operation/addPlant');
    await token().fill('secret');
    const editor = field('Body required');
    expect(await editor.inputValue()).toContain('"id": 9223372036854775807');
    const style = 'getComputedStyle(document.querySelector("textarea.body"))';
    expect(await page.evaluate(`${style}.fontFamily`)).toMatch(/monospace$/);
    expect(await page.evaluate(`${style}.borderStyle + ${style}.borderWidth`)).toBe('solid1px');
    await field('Example').selectOption('An oak');
    expect(await editor.inputValue()).toContain('"height": 1');
    await editor.fill('{"kind": "flower", "id": 9007199254740993, "name": "It\'s"}');
    const { status, body } = await send();
    expect({ status, body }).toEqual({
      status: '201 Created',
      body: '{\n  "kind": "flower",\n  "id": 9007199254740995,\n  "name": "Rose"\n}',
    });
    expect(received.at(-1)).toMatchObject({ body: { kind: 'flower', id: 9007199254740993n, name: "It's" } });
    await page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await sample()).toContain('id: 9007199254740993n');
    await page.getByRole('button', { name: 'Python' }).click();
    expect(await sample()).toContain(String.raw`data="{\"kind\": \"flower\", \"id\": 9007199254740993,`);
    await editor.fill('{"id": 0123}');
    expect(await send()).toMatchObject({ status: '400 Bad Request' });
    expect(complaints).toEqual([]);
  });

  test('sends forms and files', async () => {
    await open(server.port, '/docs#operation/addPlant');
    await token().fill('secret');
    await field('Media type').selectOption('application/x-www-form-urlencoded');
    await field('id required').fill('9223372036854775807');
    await field('names, one item in each line').fill('Rose & Co\nOak');
    expect(await send()).toMatchObject({ status: '201 Created' });
    expect(received.at(-1)).toMatchObject({ body: { id: 9223372036854775807n, names: ['Rose & Co', 'Oak'] } });
    await openOperation('Add a picture');
    await field('plant required').fill('9007199254740993');
    await field('about, JSON').fill('{"id": 9223372036854775807}');
    await field('picture').setInputFiles({ name: 'a "b".png', mimeType: 'image/png', buffer: Buffer.from('pixels') });
    expect(await send()).toMatchObject({ status: '204 No Content' });
    expect(received.slice(-3)).toEqual([
      ['plant', 9007199254740993n],
      ['about', { id: 9223372036854775807n }],
      ['picture', 'pixels'],
    ]);
    expect(complaints).toEqual([]);
  });

  test('names a file in samples until a required one is chosen, and sends nothing without it', async () => {
    await open(server.port, '/docs#operation/replacePicture');
    const url = `${server.url}/pictures`;
    expect(await sample()).toBe(
      `curl -X PUT \\\n  -H 'Content-Type: image/png' \\\n  --data-binary '@file' \\\n  ${url}`,
    );
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('Body is required.');
    expect(await isFocused(field('Body required').and(page.locator('[aria-invalid]')))).toBe(true);
    const file = { name: 'rose.png', mimeType: 'image/png', buffer: Buffer.from('pixels') };
    await field('Body required').setInputFiles(file);
    expect(await sample()).toContain(`--data-binary '@rose.png'`);
    expect(await send()).toMatchObject({ status: '204 No Content' });
    expect(received).toEqual([['image/png', 'pixels']]);
    await field('Media type').selectOption('multipart/form-data');
    expect(await sample()).toBe(`curl -X PUT \\\n  -F 'picture=@"file"' \\\n  ${url}`);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.getByRole('alert').innerText()).toBe('picture is required.');
    expect(complaints).toEqual([]);
  });

  test('sends one media type of a range: that of the file, or JSON', async () => {
    await open(server.port, '/docs#operation/replacePicture');
    await field('Media type').selectOption('image/*');
    const file = { name: 'rose.gif', mimeType: 'image/gif', buffer: Buffer.from('pixels') };
    await field('Body required').setInputFiles(file);
    expect(await sample()).toContain(`-H 'Content-Type: image/gif'`);
    expect(await send()).toMatchObject({ status: '204 No Content' });
    expect(received).toEqual([['image/gif', 'pixels']]);
    await field('Media type').selectOption('*/*');
    expect(await sample()).toContain(`-H 'Content-Type: application/json'`);
    expect(complaints).toEqual([]);
  });

  test('leaves out parameters for the headers that OpenAPI says otherwise', async () => {
    await open(server.port, '/docs#operation/replacePicture');
    expect(await page.getByRole('article').innerText()).not.toMatch(/authorization|Content-Type/i);
    expect(await page.locator('.panel label').allInnerTexts()).toEqual(['Media type', 'Body required']);
    expect(complaints).toEqual([]);
  });

  test('offers each way to authenticate, and keeps what was entered for other operations', async () => {
    await open(server.port, '/docs#operation/listPlants');
    await field('Authentication').selectOption('key and login');
    await field('API key (key)').fill('k&y');
    await field('API key (X-Login)').fill('login');
    const { url } = await send();
    expect(url).toContain('?key=k%26y');
    expect(received.slice(0, 2)).toEqual(['k&y', 'login']);
    await openOperation('Write a note');
    expect(await send()).toMatchObject({ status: '204 No Content' });
    await field('Authentication').selectOption('admin');
    await field('User').fill('Zoë');
    await field('Password').fill('pass:word');
    expect(await field('Password').getAttribute('type')).toBe('password');
    expect(await send()).toMatchObject({ status: '204 No Content' });
    expect(received.slice(-2)).toEqual([{ username: 'Zoë', password: 'pass:word' }, "It's dry"]);
    await openOperation('Add a plant');
    await field('Authentication').selectOption('key and login');
    expect(await field('API key (X-Login)').inputValue()).toBe('login');
    expect(complaints).toEqual([]);
  });

  test('shows events as they come, until it is cancelled', async () => {
    await context.addCookies([{ name: 'session', value: 'mine', url: server.url }]);
    await open(server.port, '/docs#operation/follow');
    expect(await page.locator('.panel .note').innerText()).toContain('cookie session');
    expect(await sample()).toContain('-b "session=$API_KEY"');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').filter({ hasText: '200' }).waitFor();
    for (const note of ['one', 'two']) {
      notes.emit('note', note);
      await page.locator('.response-body', { hasText: note }).waitFor();
    }
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.locator('.response-body').innerText()).toMatch(/one[^]*two/);
    expect(await page.locator('.response [role="status"]').innerText()).toMatch(/^200 OK · \d+ ms · cancelled$/);
    expect(await page.getByRole('alert').innerText()).toBe('');
    expect(received).toEqual(['mine']);
    await context.clearCookies();
    expect(complaints).toEqual([]);
  });

  test('writes samples that show events as they come', async () => {
    await open(server.port, '/docs#operation/follow');
    const ticks = setInterval(() => notes.emit('note', 'tick'), 100).unref();
    const languages: [string, string, string[]][] = [
      ['curl', 'sh', ['-c']],
      ['TypeScript', process.execPath, ['--input-type=module', '-e']],
      ['Python', 'python3', ['-c']],
    ];
    for (const [language, command, options] of languages.filter(([name]) => hasRequests || name !== 'Python')) {
      await page.getByRole('button', { name: language }).click();
      const started = spawn(command, [...options, (await code()).replace(/^curl/, 'exec curl -sS')], {
        env: { ...process.env, API_KEY: 'mine' },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 10_000,
      });
      let out = '';
      for await (const bytes of started.stdout) {
        out += String(bytes);
        if (out.includes('tick')) break;
      }
      started.kill();
      expect([language, out]).toEqual([language, expect.stringContaining('tick')]);
    }
    clearInterval(ticks);
  });

  test('writes curl samples that a shell can run, with the same effect', async () => {
    await open(server.port, '/docs#operation/addPlant');
    await field('Example').selectOption('An oak');
    const env = { ...process.env, TOKEN: 'secret', API_USER: 'Zoë', API_PASSWORD: 'pass:word', KEY: 'k', LOGIN: 'l' };
    const shell = async (): Promise<string> =>
      (await run('sh', ['-c', (await sample()).replace('curl', 'curl -s')], { env })).stdout;
    expect(await shell()).toContain('9007199254740995');
    expect(received.at(-1)).toMatchObject({ body: { id: -9223372036854775808n, name: `Oak's "top"` } });
    await openOperation('Write a note');
    await field('Authentication').selectOption('admin');
    await shell();
    expect(received.slice(-2)).toEqual([{ username: 'Zoë', password: 'pass:word' }, "It's dry"]);
    await openOperation('List the plants of a bed');
    await field('Authentication').selectOption('key and login');
    await field('near, one item in each line').fill('9007199254740993');
    expect(await shell()).toBe('[]');
    expect(received.slice(-3)).toMatchObject(['k', 'l', { query: { near: [9007199254740993n] } }]);
    await openOperation('Add a picture');
    await field('plant required').fill('9007199254740993');
    await field('about, JSON').fill('{"id": 9223372036854775807}');
    await shell();
    expect(received.slice(-2)).toEqual([
      ['plant', 9007199254740993n],
      ['about', { id: 9223372036854775807n }],
    ]);
    expect(complaints).toEqual([]);
  });

  test('sends and writes in each language what is odd: nested values, dots, secrets and cookies that need encoding', async () => {
    await open(server.port, '/docs#operation/searchOdd');
    const key = 'k+/= &y';
    await field('API key (k&y)').fill(key);
    await field('API key (X-Login)').fill('me');
    await field('way required, one item in each line').fill("a.b\nIt's $HOME");
    await field('where, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}\n');
    await field('only, one item in each line').fill('9223372036854775807\n-1');
    await field('dry').selectOption('true');
    await field('most').fill('9007199254740993');
    expect(await page.getByText('A browser sends no body with GET.').count()).toBe(1);
    expect(await field('Body').count()).toBe(0);
    expect(await page.getByRole('article').innerText()).toMatch(/most[^]*-9223372036854775808 … 9223372036854775807/);
    const request = {
      params: { way: ['a.b', "It's $HOME"] },
      query: {
        where: [{ id: 9007199254740993n }, { id: 2n }],
        only: [9223372036854775807n, -1n],
        dry: true,
        most: 9007199254740993n,
      },
    };
    await context.addCookies([{ name: 'theme', value: 'x', url: server.url }]);
    expect(await send()).toMatchObject({ status: '204 No Content' });
    await context.clearCookies();
    expect(received).toMatchObject([key, 'me', request]);
    received = [];
    // Python's requests decodes %2E.
    await field('way required, one item in each line').fill("It's $HOME\n€");
    await runSamples('/', { _2KEYS: key, LOGIN: 'me' });
    const whole = { ...request, params: { way: ["It's $HOME", '€'] }, cookies: { theme: 'mild & "dark"' } };
    const once = [key, 'me', whole];
    expect(received).toMatchObject([...once, ...once, ...(hasRequests ? once : [])]);
    expect(complaints).toEqual([]);
  });

  test('sends and writes in each language parts of odd names and texts, files with their types', () =>
    inTemporaryFolder('samples', async (folder) => {
      const [name, drawing] = [`It's "a" \\ rosé.png`, 'oak'];
      await writeFile(join(folder, name), 'pixels');
      await writeFile(join(folder, drawing), 'lines');
      await open(server.port, '/docs#operation/sendOdd');
      const note = `It's "a" \\ $HOME\t\`x\` €😀 ;type=x`;
      await field('note').fill(note);
      await field('ids, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}');
      await field('picture').setInputFiles(join(folder, name));
      await field('drawing').setInputFiles(join(folder, drawing));
      expect(await send()).toMatchObject({ status: '204 No Content' });
      const parts = [...received];
      expect(parts).toMatchObject([
        ['note', note],
        ['ids', { id: 9007199254740993n }],
        ['ids', { id: 2n }],
        ['picture', expect.stringMatching(/rosé\.png$/), 'image/png', 'pixels'],
        ['drawing', drawing, 'application/x-drawing', 'lines'],
      ]);
      received = [];
      await runSamples(folder, {});
      const unnamed = (all: unknown[]): unknown[] =>
        all.map((part) => (Array.isArray(part) && part.length === 4 ? part.toSpliced(1, 1) : part));
      expect(unnamed(received)).toEqual(unnamed([...parts, ...parts, ...(hasRequests ? parts : [])]));
      await field('Media type').selectOption('application/x-www-form-urlencoded');
      await field('ids, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}');
      received = [];
      expect(await send()).toMatchObject({ status: '204 No Content' });
      expect(received).toEqual([{ ids: [{ id: 9007199254740993n }, { id: 2n }] }]);
      expect(complaints).toEqual([]);
    }));

  test('finds operations and schemas by the words of a search, which / reaches', async () => {
    await open(server.port, '/docs#authentication');
    await page.keyboard.press('/');
    await page.keyboard.type('post PLANTS /beds');
    const links = page.getByRole('navigation').getByRole('link');
    expect(await links.allInnerTexts()).toEqual([expect.stringContaining('Add a plant')]);
    expect(await page.getByRole('navigation').getByRole('status').innerText()).toBe('1 result');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Add a plant' }).waitFor();
    expect(await links.first().getAttribute('aria-current')).toBe('page');
    await page.getByLabel('Search').fill('error SCHEMA');
    expect(await links.allInnerTexts()).toEqual(['Error']);
    await page.getByLabel('Search').fill('nothing such');
    expect(await links.count()).toBe(0);
    expect(await page.getByRole('navigation').getByRole('status').innerText()).toBe('0 results');
    for (const search of ['nothing such', ' ']) {
      await page.getByLabel('Search').fill(search);
      await page.keyboard.press('Enter');
    }
    await page.evaluate(`location.hash = '#operation/none'`);
    await page.waitForURL(/none$/);
    await page.locator('h1:focus').waitFor();
    expect(await page.title()).toBe('Add a plant · A garden');
    expect(complaints).toEqual([]);
  });

  test('shows a response as it came: names twice and in their order, each number, in its charset', async () => {
    await open(server.port, '/docs#operation/follow');
    const json = '{"b": [], "10": 1.10, "2": 1E400, "a": "\\u00e9 \\"[,]", "a": {"id": 9007199254740993}, "c": { }}';
    expect(await sendFor({ contentType: 'application/problem+json', body: json })).toMatchObject({
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
      expect(await sendFor({ contentType: 'application/json', body })).toMatchObject({ body });
    const latin = { contentType: 'text/plain; charset="iso-8859-1"', body: Buffer.from('rosé', 'latin1') };
    expect(await sendFor(latin)).toMatchObject({ body: 'rosé' });
    expect(await sendFor({ contentType: 'text/plain; charset=none', body: 'rosé' })).toMatchObject({ body: 'rosé' });
    expect(complaints).toEqual([]);
  });

  test('shows the beginning of a response that is too long to show, and offers the whole', async () => {
    await open(server.port, '/docs#operation/follow');
    const { body } = await sendFor({ contentType: 'application/json', body: `"${'a'.repeat(5_000_000)}"` });
    expect(body).toHaveLength(500_000);
    // What follows the response is not far away.
    expect((await box(page.locator('.response-body'))).bottom).toBeLessThan(2 * DESKTOP.height);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download 5000002 bytes' }).click();
    expect((await downloaded).suggestedFilename()).toMatch(/^response/);
    expect(complaints).toEqual([]);
  });

  test('says that a response is a redirect, and does not follow it', async () => {
    await open(server.port, '/docs#operation/follow');
    const headers = { Location: '/docs/icon.svg' };
    await context.route('**/notes', (route) => route.fulfill({ status: 303, headers }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').filter({ hasText: 'it is a redirect' }).waitFor();
    expect(await page.locator('.response').innerText()).toBe('');
    await context.unroute('**/notes');
  });

  test('shows schemas that name each other in every way at once, with a short example', async () => {
    const names = 'ABCDEFGHIJKL'.split('');
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: 'array', items: { $ref: `#/components/schemas/${name}` } }]),
    );
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
    await openContract(server.port, {
      paths: { '/a': { post: { summary: 'Add', requestBody: { content }, responses: {} } } },
      components: { schemas: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])) },
    });
    const example = await page.locator('textarea.body').inputValue();
    expect(example.length).toBeLessThan(200_000);
    expect(example).toContain('"B"');
    expect(complaints).toEqual([]);
  });

  test('names the media type of a body in TypeScript where the client cannot choose it', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } };
    const content = { 'application/json': { schema }, 'application/vnd.v2+json': { schema } };
    const post = { summary: 'Add', security: [{ token: [] }], requestBody: { content }, responses: {} };
    const securitySchemes = { token: { type: 'http', scheme: 'bearer' } };
    await openContract(server.port, { paths: { '/a': { post } }, components: { securitySchemes } });
    await field('Media type').selectOption('application/vnd.v2+json');
    await page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await sample()).toContain(
      "client.POST('/a', { body: { id: 1n }, contentType: 'application/vnd.v2+json' });",
    );
    expect(complaints).toEqual([]);
  });

  test('shows webhooks without a request to send, and a contract without operations', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } };
    const post = {
      summary: 'A plant has died',
      requestBody: { content },
      responses: { '204': { description: 'Seen.' } },
    };
    await openContract(server.port, { webhooks: { died: { post } } });
    expect(await page.getByRole('article').innerText()).toMatch(
      /^A plant has died\s+POST died\s+The service sends this request\.[^]*\bid\b[^]*204\s+Seen\./,
    );
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await page.getByRole('list', { name: 'Webhooks' }).getByRole('link').count()).toBe(1);
    expect(await faults()).toEqual([]);
    await openContract(server.port, {});
    expect(await page.getByRole('article').innerText()).toMatch(/^A contract\s+Version\s+1\.0\.0$/);
    expect(await faults()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('leads to each part of a description, also where titles are the same, and keeps contact and licence', async () => {
    const description = '# One\n\n## `Examples`\n\nFirst.\n\n# Introduction\n\n## Examples\n\nSecond.';
    const license = { name: 'MIT', url: 'javascript:alert(1)' };
    await openContract(server.port, { info: { title: 'A contract', version: '1.0.0', description, license } });
    const links = page.getByRole('list', { name: 'Start' }).getByRole('link');
    expect(await links.allInnerTexts()).toEqual(['Introduction', 'One', 'Examples', 'Introduction', 'Examples']);
    const shown: string[] = [];
    for (const link of await links.all()) {
      await link.click();
      await page.locator('nav [aria-current]').and(link).waitFor();
      shown.push((await page.getByRole('article').innerText()).replaceAll(/\s+/g, ' '));
    }
    expect(shown).toEqual([
      'A contract Version 1.0.0 Licence MIT',
      ...['One', 'Examples First.', 'Introduction', 'Examples Second.'],
    ]);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Introduction' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('says that it loads, which scopes an operation needs, and in the contents what is deprecated', async () => {
    await open(server.port);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/openapi.json', async (route) => {
      await released;
      const security = [{ provider: ['plants:read', 'plants:write'] }];
      const get = { summary: 'List', deprecated: true, security, responses: {} };
      const provider = { type: 'oauth2', flows: {} };
      const info = { title: 'A contract', version: '1.0.0' };
      await route.fulfill({
        json: { openapi: '3.1.0', info, paths: { '/': { get } }, components: { securitySchemes: { provider } } },
      });
    });
    await page.goto(`${server.url}/docs`, { waitUntil: 'commit' });
    await page.getByText('Loading the contract…').waitFor();
    release();
    await page.getByText('Authentication: provider (plants:read, plants:write).').waitFor();
    expect(await page.locator('nav s').innerText()).toBe('List');
    expect(await page.getByText('Loading').count()).toBe(0);
    await context.unroute('**/openapi.json');
  });

  test('shows the text of a contract without running or loading anything in it', async () => {
    await open(server.port, '/docs#section/Introduction');
    const article = page.getByRole('article');
    expect(await article.innerText()).toContain('What grows, and where. A picture');
    expect(await article.innerText()).toContain('A paragraph in HTML, with style=full.');
    expect(await article.locator('script, img, [style], [onclick], [onerror]').count()).toBe(0);
    expect(await article.getByRole('link', { name: 'link' }).getAttribute('href')).toBe('https://example.com/');
    expect(await article.getByText('another').getAttribute('href')).toBeNull();
    expect(await page.title()).toBe('A garden · A garden');
    expect(complaints).toEqual([]);
  });

  test('shows the description of a tag where its name leads', async () => {
    await open(server.port);
    await openOperation('beds');
    expect(await page.getByRole('article').innerText()).toBe('beds\n\nThe beds.');
    expect(page.url()).toBe(`${server.url}/docs#tag/beds`);
    expect(await page.getByRole('navigation').getByRole('link', { name: 'plants', exact: true }).count()).toBe(0);
    expect(await faults()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('gives the headings of a text their levels in the page', async () => {
    await open(server.port, '/docs#operation/replacePicture');
    const headings = await page.evaluate<string[]>(
      `[...document.querySelectorAll('article :is(h1, h2, h3, h4, h5, h6)')].map(({ nodeName, textContent }) => nodeName + ' ' + textContent)`,
    );
    const ofText = ['H2 Sizes', 'H3 Colours', 'H2 Formats'];
    expect(headings).toEqual(['H1 Replace the picture', ...ofText, 'H2 Body required', 'H2 Responses']);
    expect(await faults()).toEqual([]);
  });

  test('shows schemas with their limits, alternatives and fields within themselves', async () => {
    await open(server.port, '/docs#schema/Plant');
    await page.locator('summary', { hasText: 'Tree' }).click();
    const tree = page.locator('details[open]').first();
    const rows = await tree.locator(':scope > .rows > .row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s/)[0])).toEqual(['kind', 'id', 'name', 'seen', 'offspring', 'height']);
    expect(rows[1]).toContain('-9223372036854775808 … 9223372036854775807');
    expect(rows[2]).toContain('1 … 80 characters');
    expect(rows[5]).toMatch(/required[^]*more than 0/);
    await tree.locator('summary', { hasText: 'Fields of each Plant' }).click();
    await tree.locator('summary', { hasText: 'Flower' }).waitFor();
    await tree.getByRole('link', { name: 'Plant' }).click();
    expect(complaints).toEqual([]);
  });

  test.each(['operation/addPlant', 'schema/Plant'])('prints the alternatives of %s with their fields', async (at) => {
    await open(server.port, `/docs#${at}`);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.evaluate<string>(`dispatchEvent(new Event('beforeprint')), document.body.innerText`);
    expect(printed).toMatch(/Flower[^]*\bcolour\b[^]*one of red, white[^]*Tree[^]*\bheight\b[^]*more than 0/);
    expect(complaints).toEqual([]);
  });

  test('shows which value of a discriminator chooses a schema, and gives it in examples', async () => {
    const shown = async (name: string): Promise<unknown[]> => {
      await open(server.port, `/docs#schema/${name}`);
      const example: unknown = JSON.parse(await page.locator('article > pre').innerText());
      return [await page.locator('article > details > summary').allInnerTexts(), example];
    };
    const flower = { kind: 'flower', id: 1, name: 'text', offspring: [], seen: '2030-01-31T12:00:00Z', colour: 'red' };
    expect(await shown('Plant')).toEqual([['Flower kind: flower', 'Tree kind: tree'], flower]);
    const spade = { kind: 'Spade', owner: 1, sharp: true };
    expect(await shown('Tool')).toEqual([['Spade kind: Spade'], spade]);
    expect(await shown('Spade')).toEqual([[], spade]);
    expect(complaints).toEqual([]);
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
      await open(server.port, '/docs', viewport);
      await page.emulateMedia({ colorScheme });
      for (const at of addresses) {
        const shown = page.locator('h1:focus');
        await page.evaluate(`document.activeElement.blur(); location.hash = '${at}';`);
        await shown.waitFor();
        await page.evaluate(`document.querySelectorAll('main details').forEach((details) => { details.open = true; })`);
        if (at.startsWith('operation')) await send();
        const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        if ((await page.evaluate<number>(widths)) > 0) found.push(`${at}: it scrolls sideways`);
        found.push(...(await faults()).map((fault) => `${at}: ${fault}`));
        backgrounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
        expect(complaints).toEqual([]);
      }
      expect(found).toEqual([]);
      expect([...backgrounds]).toEqual([colorScheme === 'dark' ? 'rgb(16, 22, 18)' : 'rgb(255, 255, 255)']);
    },
  );

  test('keeps ids in parameters and examples exact where the contract is served under another path', async () => {
    const near: unknown[] = [];
    const answering = (id: bigint) => (request: never) => {
      near.push(request);
      return { status: 200, body: { id } };
    };
    const under = await serveContract(
      new URL('../fixtures/contracts/docs.yaml', import.meta.url),
      { getPlant: answering(-9223372036854775807n), createPlant: answering(9007199254740995n) },
      {},
      { docs: true },
    );
    await open(under.port, '/docs#operation/getPlant');
    expect(await field('id required').inputValue()).toBe('9007199254740993');
    await field('near').fill('-9223372036854775808');
    const read = await send();
    expect(read.url).toBe(`${under.url}/base/plants/9007199254740993?near=-9223372036854775808`);
    expect(read.body).toBe('{\n  "id": -9223372036854775807\n}');
    expect(near).toMatchObject([{ params: { id: 9007199254740993n }, query: { near: -9223372036854775808n } }]);
    await openOperation('createPlant');
    expect(await page.locator('textarea.body').inputValue()).toBe('{\n  "id": 9223372036854775807\n}');
    expect(complaints).toEqual([]);
    await under.close();
  });
});

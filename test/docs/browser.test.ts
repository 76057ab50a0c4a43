import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { serveContract } from '../support/contract-server.ts';
import { DELETE_PLANT, plantsIn, startService, type Service } from '../support/service.ts';

const browser = await launchBrowser();
const inBrowser = browser === undefined ? describe.skip : describe;
const NEIGHBOURS = [9007199254740992n, 9007199254740994n, 9223372036854775806n];
const PLANTS = [12n, 9007199254740993n, 9223372036854775807n, ...NEIGHBOURS];
const DESKTOP = { width: 1000, height: 800 };
const PHONE = { width: 375, height: 700 };

let service: Service;
/** What a browser caches, such as the script of the page, is there for the next test. */
let context: BrowserContext;
let page: Page;
/** What the browser complains of, and requests that leave the service. */
let complaints: string[];

afterAll(() => browser?.close());

async function open(port: number, at = '/docs', viewport = DESKTOP): Promise<void> {
  page = await context.newPage();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: viewport === PHONE ? 'dark' : null });
  complaints = [];
  page.on('console', (message) => {
    // Chromium logs each response of 400 and more, which is not an error of the page.
    if (!message.text().startsWith('Failed to load resource: the server responded with a status of 4'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${port}/`) && !request.url().startsWith('data:'))
      complaints.push(request.url());
  });
  await page.goto(`http://127.0.0.1:${port}${at}`);
  await page.locator('.opblock').first().waitFor();
}

async function authorize(token: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.modal-ux input').fill(token);
  await page
    .locator('.modal-ux')
    .getByRole('button', { name: /^Authorize/ })
    .click();
  await page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();
}

async function openOperation(method: string): Promise<void> {
  await page.locator(`.opblock-${method} .opblock-summary-control`).click();
}

/** Opens the reference with its one operation, to be executed with a token. */
async function openAuthorized(token = service.token): Promise<void> {
  await open(service.port);
  await authorize(token);
  await openOperation('delete');
}

/** Executes the operation and returns what the page shows of the answer, which comes into view. */
async function execute(): Promise<{ status: string; url: string; body: string }> {
  // As for a user who has just scrolled as far as the button.
  await page.evaluate(`document.querySelector('.execute').scrollIntoView({ block: 'end' })`);
  const answered = page.waitForResponse((response) => !response.url().includes('/docs'));
  await page.getByRole('button', { name: 'Execute' }).click();
  const status = String((await answered).status());
  const shown = page.locator('.live-responses-table .response-col_status', { hasText: status });
  await shown.waitFor();
  const { y = -1 } = (await shown.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  const body = page.locator('.live-responses-table .response-col_description h5:text("Response body") + div pre');
  return {
    status,
    url: await page.locator('.request-url pre').innerText(),
    body: (await body.count()) === 0 ? '' : await body.innerText(),
  };
}

/** Presses Tab until something is reached. */
async function tabTo(selector: string): Promise<void> {
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`The keyboard does not reach ${selector}.`);
}

/** What axe finds serious or critical on the page, each with its rule and place. */
async function seriousFaults(): Promise<string[]> {
  // Scripts of a test run beside the policy of the page.
  await page.evaluate(`${axe.source}; 0`);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

inBrowser('in a browser, the API reference', () => {
  beforeAll(async () => {
    if (browser === undefined) throw new Error('unreachable: without a browser these tests are skipped');
    context = await browser.newContext();
    service = await startService([], undefined, { docs: true });
  });
  beforeEach(() => service.stores.plants.insertPlants(PLANTS));
  afterEach(() => page.close());
  afterAll(() => service.close());

  test('deletes the plant whose id was entered, and no other, and brings each answer into view', async () => {
    await openAuthorized();
    const field = page.locator('.parameters input');
    expect(await field.inputValue()).toBe('12');
    for (const id of [9007199254740993n, 9223372036854775807n]) {
      await field.fill(String(id));
      const url = `http://127.0.0.1:${service.port}/plants/${id}`;
      expect(await execute()).toEqual({ status: '204', url, body: '' });
      const body = `{\n  "error": 40401,\n  "message": "There is no plant with the id ${id}."\n}`;
      expect(await execute()).toEqual({ status: '404', url, body });
    }
    expect(await plantsIn(service.stores)).toEqual([12n, ...NEIGHBOURS]);
    // What it refuses leaves no former answer.
    await field.fill('twelve');
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.parameters input.invalid').waitFor();
    expect(await page.locator('.live-responses-table').count()).toBe(0);
    expect(await plantsIn(service.stores)).toEqual([12n, ...NEIGHBOURS]);
    expect(complaints).toEqual([]);
  });

  test('takes a token behind the word Bearer, keeps none, and shows each request as code: for curl, TypeScript and Python', async () => {
    await openAuthorized('Bearer wrong');
    await page.locator('.parameters input').fill('9007199254740993');
    const { status, url, body } = await execute();
    expect(status).toBe('401');
    expect(body).toContain('"error": 40101');
    expect(await plantsIn(service.stores)).toHaveLength(PLANTS.length);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    const code = page.locator('.code-samples pre');
    expect(await code.innerText()).toMatch(
      /^curl -X 'DELETE'.*\n.*9007199254740993'[^]* 'Authorization: Bearer wrong'$/,
    );
    await page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await code.innerText()).toContain(
      "await client.DELETE('/plants/{id}', { params: { path: { id: 9007199254740993n } } });",
    );
    await page.getByRole('button', { name: 'Python' }).click();
    expect(await code.innerText()).toContain(`requests.delete(\n    "${url}",\n    headers={"Authorization": `);
    expect(complaints).toEqual([]);
  });

  test('works with the keyboard alone', async () => {
    await open(service.port);
    const press = async (selector: string, key = 'Enter'): Promise<void> => {
      await tabTo(selector);
      await page.keyboard.press(key);
    };
    await press('.btn.authorize');
    await tabTo('.modal-ux input');
    await page.keyboard.type(service.token);
    await press('.modal-ux .authorize');
    await press('.modal-ux .btn-done');
    await press('.opblock-summary-control');
    await tabTo('.parameters input');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('9223372036854775807');
    await press('.execute');
    await page.locator('.live-responses-table .response-col_status', { hasText: '204' }).waitFor();
    expect(await plantsIn(service.stores)).not.toContain(9223372036854775807n);
    expect(await plantsIn(service.stores)).toHaveLength(PLANTS.length - 1);
    expect(complaints).toEqual([]);
  });

  test('works at the width of a phone in dark and light colours, as the system has them then: nothing scrolls sideways, axe finds nothing serious, and each answer comes into view', async () => {
    await open(service.port, '/docs', PHONE);
    expect(await page.evaluate('document.documentElement.className')).toContain('dark-mode');
    const faults: string[] = [];
    const backgrounds = new Set<string>();
    const look = async (at: string): Promise<void> => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor();
        // The colours of a transition are none of the page's own.
        await page.evaluate('document.getAnimations().forEach((animation) => animation.finish())');
        backgrounds.add(await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor'));
        const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        const sideways = await page.evaluate<number>(widths);
        if (sideways > 0) faults.push(`${at}, ${colorScheme}: ${sideways} pixels beyond the width`);
        faults.push(...(await seriousFaults()).map((fault) => `${at}, ${colorScheme}: ${fault}`));
      }
    };
    await page.getByRole('button', { name: 'Authorize' }).click();
    await look('dialog');
    await page.locator('.modal-ux .btn-done').click();
    await authorize(service.token);
    await openOperation('delete');
    await execute();
    expect(await execute()).toMatchObject({ status: '404' });
    await page.locator('.error-toggle', { hasText: 'plant' }).first().click();
    await look('refusal');
    expect(faults).toEqual([]);
    expect(backgrounds.size).toBe(2);
    for (const control of await page.locator('button:visible, input:visible, select:visible').all()) {
      const { x = -1, width = 0 } = (await control.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(PHONE.width);
    }
    expect(complaints).toEqual([]);
  });

  test('opens the operation that the URL names, links to the contract, and shows the success first, and each error in short until more is wanted', async () => {
    // test/docs/docs.test.ts shows that this leads to the page.
    await open(service.port, `/#/plants/${DELETE_PLANT}`);
    await page.getByRole('button', { name: 'Execute' }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${service.port}/docs#/plants/${DELETE_PLANT}`);
    const link = page.locator('.info a', { hasText: 'openapi.yaml' });
    expect(await link.getAttribute('href')).toBe(`${service.url}/openapi.yaml`);
    const rows = page.locator('.responses-table > tbody > tr');
    const statuses = await rows.locator('.response-col_status').allInnerTexts();
    expect(statuses.slice(0, 2)).toEqual(['204', '400']);
    expect(new Set(statuses).size).toBe(statuses.length);
    const example = rows.locator('pre', { hasText: '40401' });
    expect(await example.count()).toBe(0);
    const toggle = rows.filter({ hasText: '404' }).getByRole('button');
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    await toggle.click();
    await example.waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    expect(await example.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('shows and sends ids in parameters, bodies and examples of any contract exactly', async () => {
    const received: unknown[] = [];
    const answering = (id: bigint) => (request: never) => {
      received.push(request);
      return { status: 200, body: { id } };
    };
    const handlers = { getPlant: answering(-9223372036854775807n), createPlant: answering(9007199254740995n) };
    const server = await serveContract(
      new URL('../fixtures/contracts/docs.yaml', import.meta.url),
      handlers,
      {},
      { docs: true },
    );
    await open(server.port);
    await openOperation('get');
    expect(await page.locator('.parameters tr[data-param-name="id"] input').inputValue()).toBe('9007199254740993');
    await page.locator('.parameters tr[data-param-name="near"] input').fill('-9223372036854775808');
    const read = await execute();
    expect(read.url).toContain('/base/plants/9007199254740993?near=-9223372036854775808');
    expect(read.body).toContain('"id": -9223372036854775807');
    expect(received).toMatchObject([{ params: { id: 9007199254740993n }, query: { near: -9223372036854775808n } }]);
    await page.locator('.opblock-get .opblock-summary-control').click();
    await openOperation('post');
    const editor = page.locator('.body-param textarea');
    expect(await editor.inputValue()).toContain('9223372036854775807');
    await editor.fill('{"id": 9007199254740993}');
    expect((await execute()).body).toContain('"id": 9007199254740995');
    expect(received[1]).toMatchObject({ body: { id: 9007199254740993n } });
    const samples = page.locator('.opblock-post .code-samples');
    await samples.getByRole('button', { name: 'TypeScript' }).click();
    expect(await samples.locator('pre').innerText()).toContain(
      "await client.POST('/plants', { body: { id: 9007199254740993n } });",
    );
    await samples.getByRole('button', { name: 'Python' }).click();
    expect(await samples.locator('pre').innerText()).toContain(`    data="{\\"id\\": 9007199254740993}",\n`);
    expect(complaints).toEqual([]);
    await server.close();
  });
});

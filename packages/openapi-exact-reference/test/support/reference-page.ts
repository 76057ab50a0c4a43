import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import axe from 'axe-core';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { ContractError, loadContract } from 'openapi-exact';
import { launchBrowser } from 'test-support/browser.ts';
import { placeTable } from '../../src/place-table.ts';

const run = promisify(execFile);
/** Whether samples in Python can run. */
export const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);
const browser = await launchBrowser();

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Describes tests of the API reference in a browser. They are skipped where there is none. */
export function describeInBrowser(name: string, tests: (docs: DocsPage) => void): void {
  const described = browser === undefined ? describe.skip : describe;
  described(name, () => {
    const docs = new DocsPage();
    beforeAll(() => docs.openTab());
    afterAll(() => browser?.close());
    tests(docs);
  });
}

/** Where something is shown, in pixels. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export async function box(of: Locator): Promise<Box> {
  const found = await of.boundingBox();
  if (found === null) throw new Error('It is not shown.');
  return { left: found.x, right: found.x + found.width, top: found.y, bottom: found.y + found.height };
}

/** What the page shows of a response. */
interface ShownResponse {
  readonly status: string;
  readonly url: string;
  readonly body: string;
  readonly headers: string;
}

/** The API reference in a tab of a browser. */
export class DocsPage {
  /** What the browser complains of, and requests that leave the service. */
  complaints: string[] = [];
  /** How the URLs of the service begin. */
  #served = '';
  #page: Page | undefined;

  /** What a browser caches, such as the scripts of the page, is there for the next test. */
  async openTab(): Promise<void> {
    const context = await browser?.newContext();
    // Below the limit of a test: other tests keep the machine busy.
    context?.setDefaultTimeout(100_000);
    this.#page = await context?.newPage();
    this.page.on('console', (message) => {
      // Chromium logs each response of 400 and more, which is not an error of the page.
      if (!message.text().startsWith('Failed to load resource: the server responded with a status of 4'))
        this.complaints.push(message.text());
    });
    this.page.on('pageerror', (error) => this.complaints.push(error.message));
    this.page.on('request', (request) => {
      if (!request.url().startsWith(this.#served)) this.complaints.push(request.url());
    });
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('No tab is open.');
    return this.#page;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** Opens an address of a service in the tab, whose renderer is there already. */
  async open(port: number, at = '/docs', viewport = DESKTOP): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.setViewportSize(viewport);
    await this.page.emulateMedia({ media: null, colorScheme: null });
    this.complaints = [];
    this.#served = `http://127.0.0.1:${port}/`;
    await this.page.goto(`http://127.0.0.1:${port}${at}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Opens the page as it shows a contract that the service does not have. */
  async openContract(port: number, document: object, at = '', viewport = DESKTOP): Promise<void> {
    const info = { title: 'A contract', version: '1.0.0' };
    const json = { openapi: '3.1.0', info, paths: {}, ...document };
    const places = await placesIn(json);
    await this.context.route('**/openapi.json', (route) => route.fulfill({ json }));
    await this.context.route('**/places.json', (route) => route.fulfill({ json: places }));
    await this.open(port, `/docs${at}`, viewport);
    await this.context.unroute('**/openapi.json');
    await this.context.unroute('**/places.json');
  }

  /** Follows a link of the contents. */
  async openOperation(name: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name }).click();
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** Opens a part of the page that is closed, and waits for its content, which is made then. */
  async unfold(summary: Locator): Promise<void> {
    await summary.click();
    await summary.locator('xpath=following-sibling::*').first().waitFor();
  }

  field(label: string): Locator {
    return this.page.locator('.panel').getByLabel(label, { exact: true });
  }

  token(): Locator {
    return this.page.getByLabel('Access token', { exact: true });
  }

  sample(): Promise<string> {
    return this.page.locator('.panel .sample').innerText();
  }

  /** A sample with its spaces, which are not all shown. */
  async code(): Promise<string> {
    return (await this.page.locator('.panel .sample').textContent()) ?? '';
  }

  /** Sends the request and returns what the page shows of the response, which comes into view. */
  async send(): Promise<ShownResponse> {
    const { page } = this;
    const answered = page.waitForResponse((response) => !response.url().includes('/docs'));
    await page.getByRole('button', { name: 'Send' }).click();
    const url = (await answered).url();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    // The page scrolls to a response in the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
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

  /** Sends the request of the operation that is open, and shows another response. */
  async sendFor(response: object): Promise<ShownResponse> {
    await this.context.route('**/notes', (route) => route.fulfill(response));
    const shown = await this.send();
    await this.context.unroute('**/notes');
    return shown;
  }

  async isFocused(target: Locator): Promise<boolean> {
    return (await target.and(this.page.locator(':focus')).count()) === 1;
  }

  /** Presses Tab until something is reached. */
  async tabTo(target: Locator): Promise<void> {
    for (let count = 0; count < 300; count++) {
      await this.page.keyboard.press('Tab');
      if (await this.isFocused(target)) return;
    }
    throw new Error('The keyboard does not reach it.');
  }

  /** What axe finds on the page, each with its rule and place. */
  async faults(): Promise<string[]> {
    // Scripts of a test run beside the policy of the page.
    if (await this.page.evaluate(`typeof axe === 'undefined'`)) await this.page.evaluate(`${axe.source}; 0`);
    const { violations } = await this.page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  }

  /** Runs the sample of curl in a folder. */
  async runShell(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
    await this.page.getByRole('button', { name: 'curl' }).click();
    const code = (await this.code()).replace('curl', 'curl -s -f');
    await run('sh', ['-c', code], { cwd: folder, env: { ...process.env, ...env } });
  }

  /** Runs the sample of each language in a folder, that of Python where its package is there. */
  async runSamples(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    await this.runShell(folder, env);
    await this.page.getByRole('button', { name: 'TypeScript' }).click();
    // Such a sample is JavaScript, too.
    await run(process.execPath, ['--input-type=module', '-e', await this.code()], options);
    await this.page.getByRole('button', { name: 'Python' }).click();
    if (hasRequests) await run('python3', ['-c', await this.code()], options);
  }
}

/** What the service would send of the places of a contract; none of one that cannot be served. */
async function placesIn(document: object): Promise<object> {
  try {
    return placeTable(await loadContract({ text: JSON.stringify(document) }), ['date-time', 'decimal']);
  } catch (error) {
    if (error instanceof ContractError) return { operations: {}, places: [] };
    throw error;
  }
}

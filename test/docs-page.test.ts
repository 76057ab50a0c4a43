import { expect, test } from '@jest/globals';
import { launchBrowser } from 'test-support/browser.ts';
import { DELETE_PLANT, plantsIn, startService } from './support/service.ts';

const browser = await launchBrowser();
(browser === undefined ? test.skip : test)(
  'in a browser, deletes the plant whose id was entered, and no other',
  async () => {
    const ids = [9007199254740992n, 9007199254740993n, 9007199254740994n];
    const plants = await startService(ids, undefined, { docs: true });
    const page = await browser?.newPage();
    if (page === undefined) throw new Error('No page is open.');
    await page.goto(`${plants.url}/docs#operation/${DELETE_PLANT}`);
    await page.getByLabel('Access token', { exact: true }).fill(plants.token);
    await page.getByLabel('id required', { exact: true }).fill('9007199254740993');
    await page.getByRole('button', { name: 'TypeScript' }).click();
    const sample = await page.locator('.sample').innerText();
    expect(sample).toContain("import { createClient } from 'plant-store-client';");
    expect(sample).toContain("client.DELETE('/plants/{id}', { params: { path: { id: 9007199254740993n } } });");
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').filter({ hasText: '204 No Content' }).waitFor();
    expect(await plantsIn(plants.stores)).toEqual([9007199254740992n, 9007199254740994n]);
    await browser?.close();
    await plants.close();
  },
);

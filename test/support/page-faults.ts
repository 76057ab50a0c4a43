import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds serious or critical on a page, each with its rule and place. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Scripts of a test run beside the policy of the page.
  await page.evaluate(`${axe.source}; 0`);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** How far a page can be scrolled sideways, in pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

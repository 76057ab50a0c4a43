import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Starts the Chromium that the variable CHROMIUM names, one in PATH, or an installed Chrome.
 * @returns undefined when this machine has none.
 * @throws Error instead in the workflow, where every test must run.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const { CHROMIUM, PATH = '', GITHUB_ACTIONS } = process.env;
  const found = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const executablePath = CHROMIUM ?? found.find((path) => existsSync(path));
  try {
    return await chromium.launch(executablePath === undefined ? { channel: 'chrome' } : { executablePath });
  } catch (cause) {
    if (executablePath !== undefined || GITHUB_ACTIONS !== undefined) {
      throw new Error('The tests in a browser need Chromium or Chrome: install one, or set CHROMIUM to its path.', {
        cause,
      });
    }
    process.stderr.write(
      'skipped: what is tested in a browser, for there is no Chromium or Chrome here; CHROMIUM may name one\n',
    );
    return undefined;
  }
}

import { readFile } from 'node:fs/promises';
import { OperatorError } from '../../src/errors.ts';
import { ERROR_TABLE } from './error-table.ts';

const GUIDE = new URL('../../docs/api.md', import.meta.url);

/** Writes the table of error codes into docs/api.md. */
export async function apiGuide(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const marked = /(?<=^<!-- errors -->\n)[^]*?(?=^<!-- \/errors -->$)/m;
  if (!marked.test(guide))
    throw new OperatorError('docs/api.md must have the lines <!-- errors --> and <!-- /errors -->.');
  return guide.replace(marked, () => `\n${ERROR_TABLE}\n\n`);
}

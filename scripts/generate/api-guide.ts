import { readFile } from 'node:fs/promises';
import type { Contract } from 'openapi-exact';
import { OperatorError } from '../../src/errors.ts';

const GUIDE = new URL('../../docs/api.md', import.meta.url);

/** Writes the table of error codes, which a description in the contract holds, into docs/api.md. */
export async function apiGuide({ document }: Contract): Promise<string> {
  const rows = [...String(document.info['description']).matchAll(/^ *(\| \d{5} \| .* \|)$/gm)].map(([, row]) => row);
  if (rows.length === 0) throw new OperatorError('openapi.yaml has no table of error codes: | 40400 | … |');
  const guide = await readFile(GUIDE, 'utf8');
  const marked = /(?<=^<!-- errors -->\n)[^]*?(?=^<!-- \/errors -->$)/m;
  if (!marked.test(guide))
    throw new OperatorError('docs/api.md must have the lines <!-- errors --> and <!-- /errors -->.');
  const table = ['', '| `error` | meaning |', '|---|---|', ...rows, '', ''].join('\n');
  return guide.replace(marked, () => table);
}

import { readFile } from 'node:fs/promises';
import type { Contract } from 'openapi-exact';
import { OperatorError } from '../../src/errors.ts';

const GUIDE = new URL('../../docs/api.md', import.meta.url);

const NO_TABLE = `openapi.yaml: info.description needs the table of error codes, which docs/api.md shows:

    | code | meaning |
    |---|---|
    | 40400 | The path is not in the contract. |
    | 40401 | There is no plant with this id. |

The codes are those of ERRORS in src/errors.ts and of PLANT_ERRORS in src/plants/handlers.ts.`;

/** Writes the table of error codes, which a description in the contract holds, into docs/api.md. */
export async function apiGuide({ document }: Contract): Promise<string> {
  const rows = [...String(document.info['description']).matchAll(/^ *(\| \d{5} \| .* \|)$/gm)].map(([, row]) => row);
  if (rows.length === 0) throw new OperatorError(NO_TABLE);
  const guide = await readFile(GUIDE, 'utf8');
  const marked = /(?<=^<!-- errors -->\n)[^]*?(?=^<!-- \/errors -->$)/m;
  if (!marked.test(guide))
    throw new OperatorError('docs/api.md must have the lines <!-- errors --> and <!-- /errors -->.');
  const table = ['', '| `error` | meaning |', '|---|---|', ...rows, '', ''].join('\n');
  return guide.replace(marked, () => table);
}

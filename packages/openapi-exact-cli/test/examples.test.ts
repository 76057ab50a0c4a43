import { expect, jest, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { generate } from '../src/commands/generate.ts';
import { formatOption } from '../src/index.ts';

test.each([
  ['todo', []],
  ['garden', ['date-time=Date', 'decimal=Decimal:../decimal.ts']],
])('what examples/%s has generated is what its contract says', async (name, formats) => {
  const lines: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const folder = fileURLToPath(new URL(`../../openapi-exact/examples/${name}/`, import.meta.url));
  const options = { out: `${folder}generated`, check: true, formats: formats.map(formatOption) };
  await generate({ contract: `${folder}openapi.yaml`, ...options });
  expect(lines).toEqual([]);
});

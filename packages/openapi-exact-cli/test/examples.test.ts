import { expect, jest, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { generate } from '../src/commands/generate.ts';

test.each(['todo', 'garden'])('what examples/%s has generated is what its contract says', async (name) => {
  const lines: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  const folder = fileURLToPath(new URL(`../../openapi-exact/examples/${name}/`, import.meta.url));
  await generate({ contract: `${folder}openapi.yaml`, out: `${folder}generated`, check: true });
  expect(lines).toEqual([]);
});

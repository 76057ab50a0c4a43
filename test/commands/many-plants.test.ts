import { expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** Distinct unordered ids over all of int64: an odd factor permutes the 2^64 integers. */
function scattered(count: number): BigInt64Array {
  return BigInt64Array.from({ length: count }, (_, index) => BigInt.asIntN(64, BigInt(index) * 0x9e3779b97f4a7c15n));
}

function lines(ids: BigInt64Array): string {
  return `${ids.join('\n')}\n`;
}

// test/import/import-plants.test.ts has long files of the other formats.
test('many ids are exported as they were imported, ascending', async () => {
  const count = 200_000;
  const ids = scattered(count);
  await place.write('ids', lines(ids));
  expect(await place.run(['plants', 'import', 'ids'])).toEqual({
    code: 0,
    stdout: `Imported: ${count}. There already or repeated: 0. Invalid lines skipped: 0.\n`,
    stderr: '',
  });
  const { code, stdout } = await place.run(['plants', 'export']);
  expect(code).toBe(0);
  // toBe() on both texts would print a difference of megabytes.
  expect(stdout === lines(ids.sort())).toBe(true);
});

test('an export whose reader closes the pipe exits with 0', async () => {
  await place.run(['plants', 'import', '-'], { input: lines(scattered(100_000)) });
  expect(await place.shell('{ node "$CLI" plants export; echo "code $?" >&2; } | head -n 1')).toEqual({
    code: 0,
    stdout: `${scattered(100_000).sort().at(0)}\n`,
    stderr: 'code 0\n',
  });
});

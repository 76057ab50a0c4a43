import { expect, test } from '@jest/globals';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';

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

test('an import does not block a server: every delete meanwhile gets 204', async () => {
  const server = await place.serve({ LOG_LEVEL: 'warn' });
  const token = await server.firstToken();
  await place.run(['plants', 'import', '-'], {
    input: lines(BigInt64Array.from({ length: 50_000 }, (_, i) => BigInt(-1 - i))),
  });
  await place.write('ids', lines(BigInt64Array.from({ length: 150_000 }, (_, i) => BigInt(i) + 1_000n)));

  let importing = true;
  let next = -1n;
  const statuses = new Map<number, number>();
  const client = async (): Promise<void> => {
    while (importing && next >= -50_000n) {
      const { status } = await deletePlantAt(server.url, token, next--);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const imported = place.run(['plants', 'import', 'ids']).finally(() => {
    importing = false;
  });
  await Promise.all([imported, client(), client(), client(), client()]);

  expect(await imported).toMatchObject({ code: 0, stdout: expect.stringContaining('Imported: 150000.') });
  const deleted = statuses.get(204) ?? 0;
  expect(Object.fromEntries(statuses)).toEqual({ 204: deleted });
  expect(deleted).toBeGreaterThan(0);
  // The dozen of the first start too.
  expect((await place.run(['plants', 'count'])).stdout).toBe(`${12 + 50_000 - deleted + 150_000}\n`);
});

import { cli } from '../database.ts';
import { output } from '../install.ts';
import { median } from '../median.ts';
import type { Outcome, Row, Skipped } from '../row.ts';
import { shuffledIds } from '../shuffled-ids.ts';

const IDS = 1_000_000;

/** The import of a million ids against `sqlite3 .import` of the same file into the same table with the same durability. */
export const importIds: Row = {
  id: 'import',
  run: async (context) => {
    const version = await output('sqlite3', ['--version']).catch(() => '');
    if (version === '') return [{ measure: 'import of 1,000,000 ids', skipped: 'no sqlite3' }];
    const outcomes: (Outcome | Skipped)[] = [];
    const orders = ['shuffled', 'ascending'] as const;
    for (const order of context.quick ? orders.slice(0, 1) : orders) {
      const ids = shuffledIds(IDS);
      const file = await context.databases.idFile(`${order}.txt`, order === 'shuffled' ? ids : ids.sort());
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < context.rounds; round++) {
        const both = [
          () => importWithOurs(file).then((time) => ours.push(time)),
          () => importWithTheirs(file, round).then((time) => theirs.push(time)),
        ];
        for (const run of round % 2 === 0 ? both : both.reverse()) await run();
      }
      const rate = (seconds: number): string => `${Math.round(IDS / seconds).toLocaleString('en')}/s`;
      const [a, b] = [median(ours), median(theirs)];
      outcomes.push({
        measure: `import of 1,000,000 ids, ${order}, ids/s`,
        ours: rate(a),
        against: 'sqlite3 .import',
        theirs: rate(b),
        value: median(theirs.map((time, index) => time / (ours[index] ?? Number.NaN))),
        goal: { atLeast: 0.5 },
      });
    }
    return outcomes;

    async function importWithOurs(file: string): Promise<number> {
      const database = await context.databases.fresh(0);
      const start = performance.now();
      await cli(database.url, ['plants', 'import', file], context.node);
      return (performance.now() - start) / 1000;
    }

    async function importWithTheirs(file: string, round: number): Promise<number> {
      const database = `${context.databases.folder}/${file.length}-${round}-${performance.now()}.db`;
      const start = performance.now();
      await output('sqlite3', [
        database,
        'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE plants (id INTEGER PRIMARY KEY) STRICT;',
        `.import ${file} plants`,
      ]);
      const seconds = (performance.now() - start) / 1000;
      const count = (await output('sqlite3', [database, 'SELECT count(*) FROM plants'])).trim();
      if (count !== String(IDS)) throw new Error(`sqlite3 imported ${count} ids.`);
      return seconds;
    }
  },
};

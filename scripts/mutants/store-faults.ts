import type { Fault } from './fault.ts';

const BATCHER = ['test/stores/group-commit.test.ts'];
const SQLITE = ['test/stores/sqlite.test.ts'];

/** Faults with which the wrong plant is deleted, or an answer says what did not happen. */
export const STORE_FAULTS: readonly Fault[] = [
  {
    name: 'the neighbour is deleted too',
    file: 'src/stores/sqlite/plants.ts',
    from: 'DELETE FROM plants WHERE id = ?',
    to: 'DELETE FROM plants WHERE id BETWEEN ?1 AND ?1 + 1',
    tests: ['test/contract/operations.test.ts'],
  },
  {
    name: 'the store is given a double',
    file: 'src/stores/sqlite/plants.ts',
    from: 'remove.run(id)',
    to: 'remove.run(BigInt(Number(id)))',
    tests: ['test/contract/ids.test.ts'],
  },
  {
    name: 'nothing is deleted',
    file: 'src/stores/sqlite/plants.ts',
    from: 'DELETE FROM plants WHERE id = ?',
    to: 'UPDATE plants SET id = id WHERE id = ?',
    tests: ['test/contract/operations.test.ts'],
  },
  {
    name: 'the answer comes before the commit has finished',
    file: 'src/stores/group-commit.ts',
    from: 'const { deleted, refused } = await deletePlants([...winners.keys()]);',
    to: `const commit = deletePlants([...winners.keys()]);
      const early: Deletions = { deleted: new Set(winners.keys()), refused: new Map() };
      const soon = new Promise<Deletions>((done) => setImmediate(done, early));
      const { deleted, refused } = await Promise.race([commit, soon]);`,
    tests: BATCHER,
  },
  {
    name: 'the commit comes after the answer',
    file: 'src/stores/sqlite/database.ts',
    from: '      commit.run();\n',
    to: '      setImmediate(() => connection.inTransaction && commit.run());\n      if (Math.random() < 2) return result;\n',
    tests: SQLITE,
  },
  {
    name: 'both win on the same id',
    file: 'src/stores/group-commit.ts',
    from: 'return winners.get(id) === index && deleted.has(id);',
    to: 'return index >= 0 && deleted.has(id);',
    tests: BATCHER,
  },
  {
    name: 'a commit that failed is answered as if it had not',
    file: 'src/stores/group-commit.ts',
    from: 'one.reject(error)',
    to: 'one.resolve(error !== undefined)',
    tests: ['test/contract/operations.test.ts'],
  },
  {
    name: 'a batch is as long as it comes',
    file: 'src/stores/group-commit.ts',
    from: 'const MAX_BATCH = 1_000;',
    to: 'const MAX_BATCH = 1_000_000;',
    tests: BATCHER,
  },
  {
    name: 'each delete has a commit of its own',
    file: 'src/stores/group-commit.ts',
    from: 'const MAX_BATCH = 1_000;',
    to: 'const MAX_BATCH = 1;',
    tests: BATCHER,
  },
  {
    name: 'a power cut loses what was acknowledged: synchronous is not FULL',
    file: 'src/stores/sqlite/database.ts',
    from: `    connection.pragma('synchronous = FULL');
    if (connection.pragma('synchronous', { simple: true }) !== 2n)`,
    to: `    connection.pragma('synchronous = NORMAL');
    if (connection.pragma('synchronous', { simple: true }) === 2n)`,
    tests: SQLITE,
  },
  {
    name: 'what a failed transaction had done stays',
    file: 'src/stores/sqlite/database.ts',
    from: 'if (connection.inTransaction) rollback.run();',
    to: 'if (connection.inTransaction) commit.run(); else rollback.source;',
    tests: SQLITE,
  },
  {
    name: 'a commit goes into a write-ahead log without a name',
    file: 'src/stores/sqlite/database.ts',
    from: 'const files = [file, `${real}-wal`, `${real}-shm`]',
    to: 'const files = [file, `${file}-wal`, `${real}-shm`]',
    tests: SQLITE,
  },
  {
    name: 'a lock that another process holds is a failure at once',
    file: 'src/stores/sqlite/database.ts',
    from: '!isBusy(error) || performance.now() > deadline',
    to: 'isBusy(error) || performance.now() > deadline',
    tests: SQLITE,
  },
  {
    name: 'waiting for a lock stops everything else',
    file: 'src/stores/sqlite/database.ts',
    from: "connection.pragma('busy_timeout = 0');",
    to: "connection.pragma('busy_timeout = 3000');",
    tests: SQLITE,
  },
  {
    name: 'after a failed fsync nothing is said to be done',
    file: 'src/stores/sqlite/database.ts',
    from: "error.code.startsWith('SQLITE_IOERR') ? 'unknown' : 'nothing done'",
    to: "error.code.startsWith('SQLITE_IOERR_') && error.code === '' ? 'unknown' : 'nothing done'",
    tests: SQLITE,
  },
  {
    name: 'a database of another program is taken over',
    file: 'src/stores/sqlite/migrations.ts',
    from: 'if (!empty && ',
    to: 'if (!empty && version < 0 && ',
    tests: SQLITE,
  },
];

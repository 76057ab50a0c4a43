import type { Fault } from './fault.ts';

const POSTGRES = ['test/stores/postgres-faults.test.ts'];
const FAILURES = ['test/stores/postgres-failures.test.ts'];
const TABLES = ['test/stores/postgres.test.ts'];

/** Faults of the store in PostgreSQL, after which an answer says what did not happen, or plants of others cannot be deleted. */
export const POSTGRES_FAULTS: readonly Fault[] = [
  {
    name: 'a connection that is cut after the statement was sent has done nothing',
    file: 'src/stores/postgres/failures.ts',
    from: 'if (!(error instanceof pg.DatabaseError)) return false;',
    to: 'if (!(error instanceof pg.DatabaseError)) return true;',
    tests: POSTGRES,
  },
  {
    name: 'a statement whose answer was lost is repeated, and finds no plant any more',
    file: 'src/stores/postgres/pool.ts',
    from: 'if (!hasLost(error) || performance.now() > deadline) throw error;',
    to: 'if ((!hasLost(error) && !endsConnection(error)) || performance.now() > deadline) throw error;',
    tests: POSTGRES,
  },
  {
    name: 'a server that is stopped says that nothing was done',
    file: 'src/stores/postgres/failures.ts',
    from: 'const UNKNOWN = /^(08|40003|57P0)/;',
    to: 'const UNKNOWN = /^(08|40003)/;',
    tests: FAILURES,
  },
  {
    name: 'a PANIC of the server is taken for an error of one statement',
    file: 'src/stores/postgres/failures.ts',
    from: "severity === 'ERROR' || !(IN_TROUBLE.test(code) || severity === 'FATAL' || severity === 'PANIC')",
    to: "severity !== ''",
    tests: FAILURES,
  },
  {
    name: 'what cannot be read may have been done',
    file: 'src/stores/postgres/tokens.ts',
    from: 'await read(query(statement));\n  const found',
    to: 'await orStoreError(query(statement));\n  const found',
    tests: POSTGRES,
  },
  {
    name: 'a locked row fails all that are deleted with it',
    file: 'src/stores/postgres/failures.ts',
    from: '|53|58|XX)/',
    to: '|53|55|58|XX)/',
    tests: POSTGRES,
  },
  {
    name: 'a connection that ends while nobody uses it ends the process',
    file: 'src/stores/postgres/pool.ts',
    from: "pool.on('error', onLost);",
    to: "pool.on('remove', () => onLost);",
    tests: POSTGRES,
  },
  {
    name: 'a connection that ends while it is in use ends the process',
    file: 'src/stores/postgres/pool.ts',
    from: "client.on('error', ignore);",
    to: "client.off('error', ignore);",
    tests: POSTGRES,
  },
  {
    name: 'a server with too many connections refuses what one of the open ones could do',
    file: 'src/stores/postgres/failures.ts',
    from: "const TOO_MANY = '53300';",
    to: "const TOO_MANY = '53400';",
    tests: POSTGRES,
  },
  {
    name: 'a plant that the table keeps is answered 404',
    file: 'src/stores/postgres/plants.ts',
    from: 'if (there.length === 0) return',
    to: 'if (there.length >= 0) return',
    tests: TABLES,
  },
  {
    name: 'a plant that somebody else has just deleted is answered 409',
    file: 'src/stores/postgres/plants.ts',
    from: 'const kept = [...seen].filter(',
    to: 'const kept = there.filter(',
    tests: TABLES,
  },
  {
    name: 'a plant that somebody else deletes while it is tried once more is answered 409',
    file: 'src/stores/postgres/plants.ts',
    from: 'deleteStatement(there)], ONE_SNAPSHOT)',
    to: 'deleteStatement(there)], ONE_SNAPSHOT.slice(1))',
    tests: TABLES,
  },
  {
    name: 'commits are not durable where synchronous_commit is off by default',
    file: 'src/stores/postgres/pool.ts',
    from: "WHEN 'off'",
    to: "WHEN 'of'",
    tests: TABLES,
  },
  {
    name: 'a plant that a policy hides is answered 404',
    file: 'src/stores/postgres/pool.ts',
    from: "'SET LOCAL row_security = off'",
    to: "'SET LOCAL row_security = on'",
    tests: TABLES,
  },
  {
    name: 'a trigger of a class of its own fails all that are deleted with its plant',
    file: 'src/stores/postgres/failures.ts',
    from: '|42|53|',
    to: '|42|45|53|',
    tests: TABLES,
  },
  {
    name: 'processes that start at once make the schema twice',
    file: 'src/stores/postgres/migrations.ts',
    from: 'BEGIN ISOLATION LEVEL READ COMMITTED',
    to: 'BEGIN ISOLATION LEVEL REPEATABLE READ',
    tests: TABLES,
  },
  {
    name: 'the question whether the service is ready fires triggers for good',
    file: 'src/stores/postgres/pool.ts',
    from: "    await send(client, 'ROLLBACK');\n  }",
    to: "    await send(client, 'COMMIT');\n  }",
    tests: TABLES,
  },
];

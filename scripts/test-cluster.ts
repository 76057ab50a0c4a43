import { commandLine } from '../test/support/command-line.ts';
import { jestArguments } from './checks/jest.ts';
import { runFaults } from './checks/run-faults.ts';

/** For all tests, in milliseconds. */
const TIMEOUT = 900_000;

const program = commandLine(
  'npm run test:cluster --',
  'Provokes failures of a PostgreSQL cluster (Patroni, etcd, HAProxy, PgBouncer) and of Citus, and counts the plants harmed.',
);
const tests = jestArguments(program);
program.parse();
await runFaults('**/test/cluster/**/*.cluster.ts', tests(), TIMEOUT);

import { runFaults } from './checks/run-faults.ts';

await runFaults(
  'npm run test:cluster --',
  'Provokes failures of a PostgreSQL cluster (Patroni, etcd, HAProxy, PgBouncer) and of Citus, and counts the plants harmed.',
  '**/test/cluster/**/*.cluster.ts',
  900_000,
);

import { runFaults } from './checks/run-faults.ts';

await runFaults(
  'npm run test:faults --',
  'Provokes failures of disk, network, clients and process, and counts the plants harmed.',
  '**/test/resilience/**/*.faults.ts',
  3_600_000,
);

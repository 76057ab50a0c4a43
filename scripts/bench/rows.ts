import type { Row } from './row.ts';
import { contentTypes } from './rows/content-types.ts';
import { contractAgainstFastify, contractAgainstOthers } from './rows/contract.ts';
import * as durable from './rows/durable.ts';
import { importLatency } from './rows/import-latency.ts';
import { importIds } from './rows/import.ts';
import { jwt } from './rows/jwt.ts';
import { latency } from './rows/latency.ts';
import { memory } from './rows/memory.ts';
import { operations } from './rows/operations.ts';
import { plants } from './rows/plants.ts';
import * as postgres from './rows/postgres.ts';
import { refusals } from './rows/refusals.ts';
import { start } from './rows/start.ts';

/** All rows, in the order of the table. */
export const ROWS: readonly Row[] = [
  durable.durableAgainstBare,
  durable.durableLogging,
  durable.durableProcessorTime,
  durable.durableAgainstFastify,
  durable.durableAgainstExpress,
  contractAgainstFastify,
  contractAgainstOthers,
  operations,
  plants,
  latency,
  durable.durableTail,
  jwt,
  refusals,
  memory,
  start,
  importIds,
  importLatency,
  contentTypes,
  postgres.postgresAgainstOneByOne,
  postgres.postgresAgainstBare,
  postgres.postgresProcesses,
];

import { afterAll, beforeAll } from '@jest/globals';
import type { DatabaseLocation } from '../../../src/stores/database-url.ts';
import { postgresServer, type PostgresServer } from '../../support/postgres.ts';
import { startService, type Service, type ServiceOptions } from '../../support/service.ts';

const PLANTS = [1n, 2n];

export type DatabaseKind = 'SQLite' | 'PostgreSQL';

/**
 * The databases on which the operations are tested: SQL that only one understands is a fault.
 * `npm test` leaves PostgreSQL to `npm run test:all`.
 */
export const DATABASES: readonly DatabaseKind[] =
  process.env['TEST_DATABASES'] === 'SQLite' ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

/** Starts with the first test that needs it. */
let postgres: Promise<PostgresServer> | undefined;
afterAll(async () => (await postgres)?.close());

/** Runs with a service that has an empty database of its own. */
export async function withService<T>(
  kind: DatabaseKind,
  work: (service: Service) => Promise<T>,
  options?: ServiceOptions,
): Promise<T> {
  if (kind === 'SQLite') return serve(work, options);
  postgres ??= postgresServer();
  const server = await postgres;
  const database: DatabaseLocation = { kind: 'postgres', url: await server.createDatabase() };
  try {
    return await serve(work, { ...options, database });
  } finally {
    await server.emptyDatabases();
  }
}

async function serve<T>(work: (service: Service) => Promise<T>, options?: ServiceOptions): Promise<T> {
  const service = await startService(PLANTS, undefined, options);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Runs with another process's service beside one, which knows what is in the database alone. */
export async function withSecondService<T>({ database }: Service, work: (second: Service) => Promise<T>): Promise<T> {
  const second = await startService([], undefined, { database, name: 'second' });
  try {
    return await work(second);
  } finally {
    await second.close();
  }
}

/**
 * A service for all tests of a block that change nothing: starting one takes longer than such a
 * test.
 */
export function sharedService(): () => Service {
  let service: Service;
  beforeAll(async () => {
    service = await startService(PLANTS);
  });
  afterAll(() => service.close());
  return () => service;
}

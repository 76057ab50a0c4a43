import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ownPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { run } from '../support/postgres.ts';
import { codeBlock } from 'test-support/readme.ts';
import { BIN, USER } from './programs.ts';

/** A coordinator and two workers. */
export interface CitusCluster {
  readonly coordinator: OwnPostgres;
  readonly workers: readonly [OwnPostgres, OwnPostgres];
  /** Distributes the table of plants, as the guide does. */
  distribute(): Promise<void>;
}

/** True if the newest PostgreSQL here has the extension. */
export function hasCitus(): boolean {
  return BIN !== undefined && existsSync(join(BIN, '../lib/citus.so'));
}

/** Starts the three servers in a folder. */
export async function startCitus(folder: string): Promise<CitusCluster> {
  const [bin, settings] = [BIN ?? '', { max_connections: '200', max_prepared_transactions: '200' }];
  const program = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), user: USER };
  const start = (name: string): Promise<OwnPostgres> =>
    ownPostgres(
      { ...settings, shared_preload_libraries: 'citus', unix_socket_directories: folder },
      { folder: join(folder, name), program, auth: 'trust' },
    );
  const coordinator = await start('coordinator');
  const workers = [await start('worker-1'), await start('worker-2')] as const;
  return {
    coordinator,
    workers,
    distribute: async () => {
      let guide = await codeBlock('docs/postgresql.md', 'sql', 'create_distributed_table');
      guide = guide.replace(/'coordinator[^']*', 5432/, `'127.0.0.1', ${coordinator.port}`);
      for (const [index, { adminUrl, port }] of workers.entries()) {
        await run(adminUrl, 'CREATE EXTENSION citus');
        guide = guide.replace(new RegExp(`'worker-${index + 1}[^']*', 5432`), `'127.0.0.1', ${port}`);
      }
      for (const statement of guide.trim().split('\n')) await run(coordinator.adminUrl, statement);
    },
  };
}

import type { TokenStore } from '../auth/tokens/token-store.ts';
import type { StoreError } from '../errors.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import type { Database } from './database.ts';
import type { SchemaVersions } from './migration-checksums.ts';
import type { OnCommit } from './observe-commit.ts';

/** The stores of one database. */
export interface Stores {
  /** Runs the statements of store functions. */
  readonly database: Database;
  readonly plants: PlantStore;
  readonly tokens: TokenStore;
  /** True if this opening created the table of plants. */
  readonly created: boolean;
  /** The schema change of this opening. */
  readonly schema: SchemaVersions;
  /** Number of commits that may run concurrently, on each worker. */
  readonly commits: number;
  /** The part of the store that holds a plant; a commit should touch one only. None by default. */
  readonly partOf?: ((id: bigint) => number) | undefined;
  /** The machine of the store that holds a plant, where there are several. */
  readonly workerOf?: ((id: bigint) => number) | undefined;
  /** Whether each machine of the store can be reached; none by default. */
  readonly workers?: (() => Promise<ReadonlyMap<string, boolean>>) | undefined;
  /** Resolves when the store can no longer be written: the process must restart. */
  readonly failed: Promise<StoreError>;
  /** Checks that the store is readable and writable now. Rejects with a StoreError. */
  readonly check: () => Promise<void>;
  /** Reads everything in the background. Rejects with a StoreError for damage; SQLite only. */
  readonly inspect?: () => Promise<void>;
  /** Waits for running work, then closes the database. */
  readonly close: () => Promise<void>;
}

/** The initial content of a new store. */
export interface Sample {
  readonly plants: readonly bigint[];
  readonly tokenName: string;
  readonly tokenHash: string;
}

/** Options for opening a database. */
export interface Opening {
  /** Sample data for a new database; none by default. */
  readonly sample?: Sample | undefined;
  /** Writes the schema's version even if it is up to date, which a PostgreSQL replica refuses. */
  readonly migrates?: boolean;
  /** Receives the errors of idle connections that ended; ignored by default. */
  readonly onLost?: (error: Error) => void;
  /** Receives each commit but those of `deletePlants`, which the group commit reports. */
  readonly onCommit?: OnCommit;
  /** Called if other users can open the SQLite database, with the command that closes it. */
  readonly onExposed?: (command: string) => void;
}

import type { TokenStore } from '../auth/tokens/token-store.ts';
import type { StoreError } from '../errors.ts';
import type { PlantStore } from '../plants/plant-store.ts';

/** The stores of one database. */
export interface Stores {
  readonly plants: PlantStore;
  readonly tokens: TokenStore;
  /** True when there was no table of plants before, so that this opening made it. */
  readonly created: boolean;
  /** How many commits gain from running at the same time. */
  readonly commits: number;
  /** Resolves when the store can no longer be written: the process has to be started anew. */
  readonly failed: Promise<StoreError>;
  /** Whether the store can be read and written now. It rejects with a StoreError that says why not. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
}

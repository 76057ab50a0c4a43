/** A store of plants. Each method rejects with a StoreError when the store is unavailable. */
export interface PlantStore {
  /**
   * Deletes plants durably: all that exist, except refused ones. Deletes none when it rejects with
   * 'nothing done'.
   * @param ids distinct ids.
   * @param onDeleted receives ids as soon as their delete is durable, if the others take longer.
   */
  readonly deletePlants: (ids: readonly bigint[], onDeleted?: OnDeleted) => Promise<Deletions>;
  /** Adds plants in one durable commit. @returns how many are new. */
  insertPlants(ids: readonly bigint[]): Promise<number>;
  /**
   * All ids from `from` on (default: the smallest), ascending. Ids added or deleted during the
   * iteration may or may not appear.
   */
  plantIds(from?: bigint): AsyncIterable<bigint>;
  /** Which of these plants exist. @param ids distinct ids. */
  findPlants(ids: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** How many plants there are. */
  countPlants(): Promise<bigint>;
}

/** Receives the ids of plants that were deleted durably. */
export type OnDeleted = (ids: ReadonlySet<bigint>) => void;

/** The result of several deletes. Ids in neither collection did not exist. */
export interface Deletions {
  readonly deleted: ReadonlySet<bigint>;
  /** Plants that were not deleted, with the reason: a {@link PlantInUseError} or a StoreError. */
  readonly refused: ReadonlyMap<bigint, Error>;
}

/** The database keeps the plant: a row refers to it, or a rule of its table forbids the delete. */
export class PlantInUseError extends Error {
  override readonly name = 'PlantInUseError';
}

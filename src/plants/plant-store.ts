/** Where the plants are. Every method rejects with a StoreError when the store cannot do it. */
export interface PlantStore {
  /**
   * Deletes plants durably: all of those that are there, save those that are refused; when it rejects with 'nothing done', none.
   * @param ids distinct ids.
   */
  deletePlants(ids: readonly bigint[]): Promise<Deletions>;
  /** Adds plants in one durable commit. @returns how many were not there before. */
  insertPlants(ids: readonly bigint[]): Promise<number>;
  /** All ids from one on (default: the smallest), ascending. Those added or deleted during the iteration may or may not be among them. */
  plantIds(from?: bigint): AsyncIterable<bigint>;
  /** Which of these plants are there. @param ids distinct ids. */
  findPlants(ids: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  countPlants(): Promise<bigint>;
}

/** What became of several deletes; ids that are in neither were not there. */
export interface Deletions {
  readonly deleted: ReadonlySet<bigint>;
  /** Ids that could not be deleted while others could, and why: a {@link PlantInUseError}, or a StoreError. */
  readonly refused: ReadonlyMap<bigint, Error>;
}

/** Something in the database keeps the plant from being deleted: a row that refers to it, or a rule of its table. */
export class PlantInUseError extends Error {
  override readonly name = 'PlantInUseError';
}

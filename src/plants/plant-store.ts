/** Where the plants are. Every method rejects with a StoreError when the store cannot do it. */
export interface PlantStore {
  /**
   * Deletes plants in one durable commit: all of those that are there, or, when it rejects, none.
   * @param ids distinct ids.
   * @returns the ids that were there.
   */
  deletePlants(ids: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Adds plants in one durable commit. @returns how many were not there before. */
  insertPlants(ids: readonly bigint[]): Promise<number>;
  /** All ids from one on (default: the smallest), ascending. Those added or deleted during the iteration may or may not be among them. */
  plantIds(from?: bigint): AsyncIterable<bigint>;
  countPlants(): Promise<bigint>;
}

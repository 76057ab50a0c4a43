import type { Checks, Handlers } from 'openapi-exact';
import { errorObject, type ErrorBody, type ErrorTable } from '../errors.ts';
import type { operations } from '../../generated/openapi.d.ts';
import type { Database } from '../stores/database.ts';
import { PlantInUseError, type PlantStore } from './plant-store.ts';

/** Error codes of the plant operations, in addition to those in errors.ts. */
export const PLANT_ERRORS = {
  plantNotFound: { code: 40401, meaning: 'There is no plant with this id.' },
  plantInUse: { code: 40901, meaning: 'Something in the database keeps the plant, such as a row that refers to it.' },
} as const satisfies ErrorTable;

/**
 * Deletes one plant durably. @returns whether it existed. Rejects with a PlantInUseError if
 * something keeps it.
 */
type DeletePlant = (id: bigint) => Promise<boolean>;

/** Dependencies of the handlers. */
export interface Plants {
  /** Batches concurrent deletes into one commit; handlers use it instead of the store's method. */
  readonly deletePlant: DeletePlant;
  readonly plants: PlantStore;
  /** For the store functions of src/stores/, such as those of a new operation. */
  readonly database: Database;
}

/** The handlers of the plant operations. */
export function plantHandlers({ deletePlant }: Plants): Handlers<operations> {
  return {
    deletePlant: async ({ params: { id } }) => {
      try {
        return (await deletePlant(id)) ? { status: 204 } : plantNotFound(id);
      } catch (error) {
        if (!(error instanceof PlantInUseError)) throw error;
        const message = `Something in the database keeps the plant with the id ${id}, such as a row that refers to it.`;
        return { status: 409, body: errorObject(PLANT_ERRORS.plantInUse, message) };
      }
    },
  };
}

/** The normal request checks of the plant operations. */
export function plantChecks({ plants }: Pick<Plants, 'plants' | 'database'>): Checks<operations> {
  return {
    deletePlant: async ({ params: { id } }) =>
      (await plants.findPlants([id])).has(id) ? undefined : plantNotFound(id),
  };
}

function plantNotFound(id: bigint): { status: 404; body: ErrorBody } {
  return { status: 404, body: errorObject(PLANT_ERRORS.plantNotFound, `There is no plant with the id ${id}.`) };
}

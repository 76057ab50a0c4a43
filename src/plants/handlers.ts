import type { Handlers } from '../contract/types.ts';
import { errorBody } from '../errors.ts';
import type { operations } from '../../generated/openapi.d.ts';

/** Deletes one plant durably. @returns whether it was there. */
export type DeletePlant = (id: bigint) => Promise<boolean>;

/** The handlers of the plant store's operations. */
export function plantHandlers(deletePlant: DeletePlant): Handlers<operations> {
  return {
    deletePlant: async ({ params: { id } }) =>
      (await deletePlant(id))
        ? { status: 204 }
        : { status: 404, body: errorBody('plantNotFound', `There is no plant with the id ${id}.`) },
  };
}

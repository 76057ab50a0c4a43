import type { Checks, Handlers } from 'openapi-exact';
import type { operations } from '../../generated/openapi.d.ts';
import { errorObject, type ErrorBody } from '../errors.ts';
import {
  createPlant,
  findLabel,
  findPlant,
  listPlants,
  updateLabel,
  updatePrice,
  type PlantRow,
} from '../stores/priced-plants.ts';
import { PLANT_ERRORS, plantChecks as delivered, plantHandlers as deliver, type Plants } from './delivered-handlers.ts';

export { PLANT_ERRORS, type Plants };

export function plantHandlers(given: Plants): Handlers<operations> {
  const { database } = given;
  return {
    ...deliver(given),
    createPlant: async ({ body }) => {
      const id = await createPlant(database, body);
      return { status: 201, headers: { Location: `/plants/${id}`, ETag: '"1"' }, body: { ...body, id } };
    },
    listPlants: async ({ query: { limit, ...filter } }) => {
      const rows = await listPlants(database, filter, limit + 1);
      const last = rows[limit - 1];
      const next = rows.length > limit && last !== undefined ? { next: last.id } : {};
      return { status: 200, body: { plants: rows.slice(0, limit).map(shown), ...next } };
    },
    getPlant: async ({ params: { id } }) => {
      const plant = await findPlant(database, id);
      if (plant === undefined) return plantNotFound(id);
      return { status: 200, headers: { ETag: `"${plant.version}"` }, body: shown(plant) };
    },
    updatePrice: async ({ params: { id }, body: { price } }) => {
      if (!(await updatePrice(database, id, price))) return plantNotFound(id);
      const plant = await findPlant(database, id);
      if (plant === undefined) return plantNotFound(id);
      return { status: 200, body: shown(plant) };
    },
    getLabel: async ({ params: { id } }) => {
      const label = await findLabel(database, id);
      return label === null ? plantNotFound(id) : { status: 200, body: label };
    },
    updateLabel: async ({ params: { id }, body }) =>
      (await updateLabel(database, id, body)) ? { status: 204 } : plantNotFound(id),
  };
}

export function plantChecks(given: Pick<Plants, 'plants' | 'database'>): Checks<operations> {
  const exists = async ({ params: { id } }: { params: { id: bigint } }) =>
    (await given.plants.findPlants([id])).has(id) ? undefined : plantNotFound(id);
  return { ...delivered(given), updatePrice: exists, updateLabel: exists };
}

function shown({ id, name, price, note }: PlantRow): { id: bigint; name?: string; price?: bigint; note?: string } {
  return { id, ...(name !== null && { name }), ...(price !== null && { price }), ...(note !== null && { note }) };
}

function plantNotFound(id: bigint): { status: 404; body: ErrorBody } {
  return { status: 404, body: errorObject(PLANT_ERRORS.plantNotFound, `There is no plant with the id ${id}.`) };
}

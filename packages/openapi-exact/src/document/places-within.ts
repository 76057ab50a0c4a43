import { getOrInsert } from '../get-or-insert.ts';
import { isObject, isSchema, list, type Schema } from './openapi-document.ts';

/** The schemas of each place right below the place of some schemas. */
export function placesWithin(schemas: readonly Schema[]): Schema[][] {
  const names = new Set(schemas.flatMap(({ properties }) => Object.keys(isObject(properties) ? properties : {})));
  const unnamed = schemas.map(({ additionalProperties }) => additionalProperties);
  const named = [...names].map((name) =>
    schemas.map(({ properties, additionalProperties }) =>
      isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
    ),
  );
  const length = Math.max(0, ...schemas.map(({ prefixItems }) => list(prefixItems).length));
  const items = Array.from({ length: length + 1 }, (_, index) =>
    schemas.map(({ prefixItems, items: laterItem }) => list(prefixItems)[index] ?? laterItem),
  );
  return [unnamed, ...named, ...items].map((place) => place.filter(isSchema));
}

/** Gives places keys: the same one to the same schemas in any order. */
export class PlaceKeys {
  readonly #numbers = new Map<Schema, number>();

  keyOf(place: readonly Schema[]): string {
    const numbers = place.map((schema) => getOrInsert(this.#numbers, schema, () => this.#numbers.size));
    return [...new Set(numbers)].sort((a, b) => a - b).join();
  }
}

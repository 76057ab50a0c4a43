import { getOrInsert } from '../json/get-or-insert.ts';
import type { Place } from './places.ts';

/** The declared names whose properties have a format in them, by place. */
const NAMES = new WeakMap<Place, readonly string[]>();

/** The names of an object's properties with a format in them, and maybe of others. */
export function namesIn(place: Place, object: object): readonly string[] {
  if (hasOthers(place)) return Object.keys(object);
  const names = getOrInsert(NAMES, place, () =>
    [...place.names].filter((name) => place.propertyPlace(name) !== undefined),
  );
  return names.filter((name) => Object.hasOwn(object, name));
}

/** Whether properties of names that the contract does not declare may have formats. */
function hasOthers(place: Place): boolean {
  let name = '';
  while (place.names.has(name)) name += 'x';
  return place.propertyPlace(name) !== undefined;
}

/** Whether values at a place have formats of one's own. */
export function hasOwnFormats({ numbers, texts }: Place): boolean {
  return texts.length > 0 || numbers.some(({ isBigint }) => !isBigint);
}

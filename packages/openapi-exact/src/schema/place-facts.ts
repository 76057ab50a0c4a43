import type { Place } from './places.ts';

/** The names of the properties with a format in them, by place; null if any name may be one. */
const NAMES = new WeakMap<Place, readonly string[] | null>();

/** The names that properties with a format in them may have; an object may lack some of them. */
export function namesIn(place: Place, object: object): readonly string[] {
  const known = NAMES.get(place);
  if (known !== undefined) return known ?? Object.keys(object);
  const names =
    place.otherPlace !== undefined ? null : [...place.names].filter((name) => place.propertyPlace(name) !== undefined);
  NAMES.set(place, names);
  return names ?? Object.keys(object);
}

/** Whether values at a place have custom formats. */
export function hasCustomFormats({ numbers, texts }: Place): boolean {
  return texts.length > 0 || numbers.some(({ isBigint }) => !isBigint);
}

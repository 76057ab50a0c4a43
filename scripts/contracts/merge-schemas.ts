import { arrayOf, canonical, objectOf, type Json, type JsonObject } from './json-value.ts';

/** Both schemas as one, where that can be said in one. */
export function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a, ...b };
  for (const [key, mine] of Object.entries(a)) {
    const other = b[key];
    if (other !== undefined) merged[key] = mergedKeyword(key, mine, other);
  }
  return merged;
}

function mergedKeyword(key: string, mine: Json, other: Json): Json {
  if (key === 'properties') {
    const [one, two] = [objectOf(mine), objectOf(other)];
    const shared = Object.keys(one).filter((name) => Object.hasOwn(two, name));
    const both = shared.map((name): [string, Json] => [name, { allOf: [one[name] ?? {}, two[name] ?? {}] }]);
    return { ...one, ...two, ...Object.fromEntries(both) };
  }
  if (key === 'required') return [...new Set([...arrayOf(mine), ...arrayOf(other)])];
  if (key === 'enum')
    return arrayOf(mine).filter((one) => arrayOf(other).some((two) => canonical(one) === canonical(two)));
  if (key === 'type') {
    const types = [mine].flat().filter((one) => [other].flat().includes(one));
    return types.length > 0 ? types : [mine, other].flat().includes('integer') ? 'integer' : other;
  }
  if (key === 'pattern') return [mine, other].flat();
  if (/^(min|exclusiveMin)/.test(key) && isNumber(mine) && isNumber(other)) return mine > other ? mine : other;
  if (/^(max|exclusiveMax)/.test(key) && isNumber(mine) && isNumber(other)) return mine < other ? mine : other;
  if (key === 'items') return { allOf: [mine, other] };
  return other;
}

/** True for a number, exact or not. */
export function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

import { arrayOf, canonical, isNumber, isObject, objectOf, type Json, type JsonObject } from './json-value.ts';
import type { Document } from './json-schema.ts';
import { resolve } from './source-document.ts';

/** Deeper schemas say nothing. */
const MAX_DEPTH = 28;

/** Makes schemas without references, allOf and choices of others. */
export class FlatSchemas {
  /** The branch to choose, and how many there were in what was flattened since it was set to 1. */
  branch = 0;
  branches = 1;
  readonly #document: Document;
  readonly #attempt: number;

  /** @param attempt the first branch to choose. */
  constructor(document: Document, attempt: number) {
    this.#document = document;
    this.#attempt = attempt;
  }

  /** The schema with its references followed, its allOf merged and its choices made. */
  flatten(schema: Json, depth: number, derived?: string): JsonObject {
    if (!isObject(schema) || depth > MAX_DEPTH) return {};
    const { $ref, allOf, oneOf, anyOf, ...own } = schema;
    if (typeof $ref === 'string') {
      const target = resolve(this.#document.view, { $ref });
      const followed = this.flatten(target ?? {}, depth + 1, derived ?? nameOf($ref));
      return this.#document.is30 ? followed : merge(followed, this.flatten({ ...schema, $ref: null }, depth + 1));
    }
    const self = derived ?? '';
    const parts = arrayOf(allOf).map((part) => this.flatten(part, depth + 1, self));
    const choices = [oneOf, anyOf].map(arrayOf).filter((branches) => branches.length > 0);
    const chosen = choices.map((branches) => this.#choose(schema, branches, depth));
    const kind = choices.length === 0 ? this.#kind(schema, self, depth) : {};
    return [own, ...parts, ...chosen, kind].reduce(merge, {});
  }

  #choose(schema: JsonObject, branches: readonly Json[], depth: number): JsonObject {
    const usable = branches.filter((branch) => objectOf(branch)['type'] !== 'null');
    this.branches = Math.max(this.branches, usable.length);
    const index = (this.#attempt + this.branch) % usable.length;
    const branch = usable[index] ?? null;
    const chosen = this.flatten(branch, depth + 1);
    const { $ref } = objectOf(branch);
    return typeof $ref === 'string' ? merge(chosen, this.#discriminated(schema, nameOf($ref), chosen)) : chosen;
  }

  /** The value of the discriminator of a schema that others extend. */
  #kind(schema: JsonObject, self: string, depth: number): JsonObject {
    if (!isObject(schema['discriminator'])) return {};
    const targets = Object.values(objectOf(schema['discriminator']['mapping'])).filter(
      (name) => typeof name === 'string',
    );
    const isTarget = targets.some((target) => nameOf(target) === self);
    if (isTarget || targets.length === 0 || depth > MAX_DEPTH / 2) return this.#discriminated(schema, self, schema);
    const target = targets[this.#attempt % targets.length] ?? '';
    const name = nameOf(target);
    const child = objectOf(objectOf(objectOf(this.#document.view['components'])['schemas'])[name]);
    const flat = this.flatten(child, MAX_DEPTH / 2 + 1, name);
    return merge(flat, this.#discriminated(schema, name, flat));
  }

  /** What the discriminator of a schema requires of the chosen schema. */
  #discriminated(schema: JsonObject, name: string, chosen: JsonObject): JsonObject {
    const { propertyName, mapping } = objectOf(schema['discriminator']);
    if (typeof propertyName !== 'string' || name === '') return {};
    const mapped = Object.entries(objectOf(mapping)).find(
      ([, reference]) => typeof reference === 'string' && nameOf(reference) === name,
    );
    const property = this.flatten(objectOf(chosen['properties'])[propertyName] ?? {}, MAX_DEPTH / 2);
    const allowed = 'const' in property ? [property['const'] ?? null] : arrayOf(property['enum']);
    const text = mapped?.[0] ?? name;
    const wanted = property['type'] === 'boolean' ? text === 'true' : text;
    // Many contracts forget the mapping: what the schema itself allows is right then.
    const isAllowed = allowed.length === 0 || allowed.includes(wanted);
    const constraint: JsonObject = isAllowed ? { const: wanted } : { enum: allowed };
    return { properties: { [propertyName]: constraint }, required: [propertyName] };
  }
}

function nameOf($ref: string): string {
  return decodeURIComponent($ref.slice($ref.lastIndexOf('/') + 1));
}

/** Both schemas as one, where that can be said in one. */
function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a, ...b };
  for (const [key, mine] of Object.entries(a)) {
    const theirs = b[key];
    if (theirs !== undefined) merged[key] = mergedKeyword(key, mine, theirs);
  }
  // The schema's own keyword outweighs the name that its discriminator gives it.
  const { const: only, enum: allowed } = merged;
  if (only !== undefined && Array.isArray(allowed) && !allowed.some((value) => canonical(value) === canonical(only)))
    delete merged['const'];
  return merged;
}

function mergedKeyword(key: string, mine: Json, theirs: Json): Json {
  if (key === 'properties') {
    const [ownMembers, theirMembers] = [objectOf(mine), objectOf(theirs)];
    const shared = Object.keys(ownMembers).filter((name) => Object.hasOwn(theirMembers, name));
    const both = shared.map((name): [string, Json] => [
      name,
      { allOf: [ownMembers[name] ?? {}, theirMembers[name] ?? {}] },
    ]);
    return { ...ownMembers, ...theirMembers, ...Object.fromEntries(both) };
  }
  if (key === 'required') return [...new Set([...arrayOf(mine), ...arrayOf(theirs)])];
  if (key === 'enum')
    return arrayOf(mine).filter((value) =>
      arrayOf(theirs).some((theirValue) => canonical(value) === canonical(theirValue)),
    );
  if (key === 'type') {
    const types = [mine].flat().filter((type) => [theirs].flat().includes(type));
    return types.length > 0 ? types : [mine, theirs].flat().includes('integer') ? 'integer' : theirs;
  }
  if (key === 'pattern') return [mine, theirs].flat();
  if (/^(min|exclusiveMin)/.test(key) && isNumber(mine) && isNumber(theirs)) return mine > theirs ? mine : theirs;
  if (/^(max|exclusiveMax)/.test(key) && isNumber(mine) && isNumber(theirs)) return mine < theirs ? mine : theirs;
  if (key === 'items') return { allOf: [mine, theirs] };
  return theirs;
}

import type { Schemas } from './json-schema.ts';
import { arrayOf, canonical, isObject, objectOf, textOf, type Json, type JsonObject } from './json-value.ts';
import { numberOf, stringOf } from './scalar-values.ts';
import { FlatSchemas } from './flat-schemas.ts';

/** The optional properties of objects nested deeper are left out. */
const OPTIONAL_DEPTH = 2;
/** Beyond this number of values, optional properties are left out. */
const BUDGET = 400;
const MAX_DEPTH = 14;
const ATTEMPTS = 12;
/** At most so many branches of one choice are tried. */
const MOST_BRANCHES = 40;

/**
 * A value that a schema allows, with everything optional near its top; undefined when none was
 * found. A declared example is the last resort.
 * @param text the text of strings that may be anything.
 */
export function validValue(
  schemas: Schemas,
  schema: Json,
  text: string,
  examples: readonly Json[] = [],
): Json | undefined {
  const judge = schemas.judge(schema);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const value = new ValueGenerator(schemas, text, attempt).value(schema);
    if (value !== undefined && judge(value) === undefined) return value;
  }
  return examples.find((example) => judge(example) === undefined);
}

/** Makes one value. Attempts differ in the choices of oneOf and anyOf. */
class ValueGenerator {
  readonly #schemas: Schemas;
  /** The text of strings that may be anything. */
  readonly #text: string;
  readonly #attempt: number;
  #budget = BUDGET;
  readonly #flat: FlatSchemas;

  constructor(schemas: Schemas, text: string, attempt: number) {
    this.#schemas = schemas;
    this.#text = text;
    this.#attempt = attempt;
    this.#flat = new FlatSchemas(schemas.document, attempt);
  }

  /**
   * Tries one branch of the schema's choices after the other.
   * @param salt tells apart the items of an array.
   */
  value(schema: Json, depth = 0, salt = 0): Json | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const budget = --this.#budget;
    for (this.#flat.branch = 0; ; this.#flat.branch++) {
      const branch = this.#flat.branch;
      this.#flat.branches = 1;
      const flat = this.#flat.flatten(schema, depth);
      const isLast = branch + 1 >= Math.min(this.#flat.branches, MOST_BRANCHES);
      const value = this.#valueOf(flat, depth, salt);
      if ((isLast && branch === 0) || (value !== undefined && this.#schemas.judge(schema)(value) === undefined))
        return value;
      if (isLast) return undefined;
      [this.#flat.branch, this.#budget] = [branch, budget];
    }
  }

  #valueOf(flat: JsonObject, depth: number, salt: number): Json | undefined {
    if (flat['const'] !== undefined) return flat['const'];
    const allowed = arrayOf(flat['enum']).filter((value) => value !== null || arrayOf(flat['enum']).length === 1);
    if (allowed.length > 0) return allowed[(salt + this.#attempt) % allowed.length];
    const type = this.#typeOf(flat);
    if (type === 'object') return this.#object(flat, depth);
    if (type === 'array') return this.#array(flat, depth);
    if (type === 'integer' || type === 'number') return numberOf(flat, type, salt);
    if (type === 'boolean') return (salt + this.#attempt) % 2 === 0;
    return type === 'null' ? null : stringOf(flat, this.#text, salt, this.#schemas.ruleOf(flat['format']));
  }

  #typeOf(flat: JsonObject): string {
    const types = [flat['type'] ?? []].flat().filter((type) => typeof type === 'string');
    const [first = inferredType(flat)] = types.filter((type) => type !== 'null');
    if (types.length === 1 && types[0] === 'null') return 'null';
    return first === 'number' && /^(int32|u?int64)$/.test(textOf(flat['format'])) ? 'integer' : first;
  }

  #object(flat: JsonObject, depth: number): JsonObject | undefined {
    const required = arrayOf(flat['required']).filter((name) => typeof name === 'string');
    const properties = objectOf(flat['properties']);
    const { minProperties, maxProperties } = flat;
    const isRich = depth < OPTIONAL_DEPTH && this.#attempt < ATTEMPTS - 4;
    const made: JsonObject = {};
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      const property = properties[name] ?? this.#undeclared(flat);
      const isRequired = required.includes(name);
      if (this.#schemas.isHidden(property) || property === false) continue;
      const isFull = typeof maxProperties === 'number' && Object.keys(made).length >= maxProperties;
      // Where a property with a default is absent, a server may add it.
      const isAdded = 'default' in this.#flat.flatten(property, depth);
      if (!isRequired && !isAdded && (!isRich || isFull || this.#budget < 0)) continue;
      const none = this.#schemas.judge(property)(null) === undefined ? null : undefined;
      const value = this.value(property, depth + 1, 0) ?? none;
      if (value === undefined && isRequired) return undefined;
      if (value !== undefined) made[name] = value;
    }
    const wanted = typeof minProperties === 'number' ? minProperties : Object.keys(properties).length > 0 ? 0 : 1;
    if (flat['additionalProperties'] === false && flat['patternProperties'] === undefined) return made;
    const isWanted = minProperties !== undefined || depth < OPTIONAL_DEPTH + 2;
    for (let nth = 0; Object.keys(made).length < wanted && isWanted && nth < 20; nth++) {
      const value = this.value(this.#undeclared(flat), depth + 1, nth);
      const [pattern] = Object.keys(objectOf(flat['patternProperties']));
      const names = pattern === undefined ? objectOf(flat['propertyNames']) : { pattern };
      const name = Object.keys(names).length === 0 ? `key${nth}` : this.value({ type: 'string', ...names }, depth, nth);
      if (value !== undefined && typeof name === 'string') made[name] = value;
    }
    return made;
  }

  #undeclared(flat: JsonObject): Json {
    const [pattern] = Object.values(objectOf(flat['patternProperties']));
    return pattern ?? (isObject(flat['additionalProperties']) ? flat['additionalProperties'] : { type: 'string' });
  }

  #array(flat: JsonObject, depth: number): Json[] | undefined {
    const { minItems, maxItems, items = {}, contains, prefixItems } = flat;
    const least = typeof minItems === 'number' ? minItems : 0;
    const most = typeof maxItems === 'number' ? maxItems : Infinity;
    const tuple = arrayOf(prefixItems);
    const wanted = Math.min(Math.max(least, tuple.length, depth < OPTIONAL_DEPTH ? 2 : 1), most, 200);
    const made: Json[] = [];
    for (let index = 0; index < wanted; index++) {
      const item = tuple[index] ?? contains ?? items;
      const value = item === false ? undefined : this.value(item, depth + 1, index);
      const isRepeated =
        flat['uniqueItems'] === true && made.some((item) => canonical(item) === canonical(value ?? null));
      if (value !== undefined && !isRepeated) made.push(value);
    }
    return made.length < least ? undefined : made;
  }
}

function inferredType(flat: JsonObject): string {
  if ('properties' in flat || 'additionalProperties' in flat || 'required' in flat || 'minProperties' in flat) {
    return 'object';
  }
  if ('items' in flat || 'prefixItems' in flat) return 'array';
  const { format } = flat;
  if (/^(int32|u?int64)$/.test(textOf(format))) return 'integer';
  return 'minimum' in flat || 'maximum' in flat || 'multipleOf' in flat ? 'number' : 'string';
}

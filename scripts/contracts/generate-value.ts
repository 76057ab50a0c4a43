import fc from 'fast-check';
import type { Schemas } from './json-schema.ts';
import { arrayOf, canonical, isObject, objectOf, type Json, type JsonObject } from './json-value.ts';
import { resolve, type SourceDocument } from './source-document.ts';

/** The optional properties of objects nested deeper are left out. */
const OPTIONAL_DEPTH = 2;
/** Beyond this number of values, optional properties are left out. */
const BUDGET = 400;
const MAX_DEPTH = 14;
const ATTEMPTS = 12;
/** At most so many branches of one choice are tried. */
const MOST_BRANCHES = 40;

const FORMATS: Readonly<Record<string, (salt: number) => string>> = {
  date: (salt) => `2024-02-${29 - (salt % 28)}`,
  'date-time': (salt) => `2024-02-29T12:30:${String(10 + (salt % 50))}.125Z`,
  time: (salt) => `12:30:${String(10 + (salt % 50))}Z`,
  duration: (salt) => `P${3 + salt}DT4H`,
  uuid: (salt) => `f81d4fae-7dec-41d0-a765-00a0c91e6b${(16 + salt).toString(16)}`,
  email: (salt) => `user${salt}@example.com`,
  'idn-email': (salt) => `user${salt}@example.com`,
  hostname: (salt) => `host${salt}.example.com`,
  ipv4: (salt) => `192.0.2.${1 + salt}`,
  ipv6: (salt) => `2001:db8::${1 + salt}`,
  uri: (salt) => `https://example.com/${salt}`,
  url: (salt) => `https://example.com/${salt}`,
  'uri-reference': (salt) => `/a/${salt}`,
  iri: (salt) => `https://example.com/${salt}`,
  byte: (salt) => Buffer.from(`bytes ${salt}`).toString('base64'),
  'json-pointer': (salt) => `/a/${salt}`,
  regex: (salt) => `^a{${salt}}$`,
};

/**
 * A value that a schema allows, with everything optional near its top; undefined when none was
 * found. A declared example is the last resort.
 * @param text the text of strings that may be anything.
 */
export function validValue(
  document: Pick<SourceDocument, 'view' | 'is30'>,
  schemas: Schemas,
  schema: Json,
  text: string,
  examples: readonly Json[] = [],
): Json | undefined {
  const judge = schemas.judge(schema);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const value = new ValueGenerator(document, schemas, text, attempt).generate(schema);
    if (value !== undefined && judge(value) === undefined) return value;
  }
  return examples.find((example) => judge(example) === undefined);
}

/** Makes one value. Attempts differ in the choices of oneOf and anyOf. */
class ValueGenerator {
  readonly #document: Pick<SourceDocument, 'view' | 'is30'>;
  readonly #schemas: Schemas;
  /** The text of strings that may be anything. */
  readonly #text: string;
  readonly #attempt: number;
  #budget = BUDGET;
  /** The branch to choose, and how many there are. */
  #branch = 0;
  #branches = 1;

  constructor(document: Pick<SourceDocument, 'view' | 'is30'>, schemas: Schemas, text: string, attempt: number) {
    this.#document = document;
    this.#schemas = schemas;
    this.#text = text;
    this.#attempt = attempt;
  }

  generate(schema: Json): Json | undefined {
    return this.#value(schema, 0, 0);
  }

  /**
   * Tries one branch of the schema's choices after the other.
   * @param salt tells apart the items of an array.
   */
  #value(schema: Json, depth: number, salt: number): Json | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const budget = --this.#budget;
    for (this.#branch = 0; ; this.#branch++) {
      const branch = this.#branch;
      this.#branches = 1;
      const flat = this.#flatten(schema, depth);
      const isLast = branch + 1 >= Math.min(this.#branches, MOST_BRANCHES);
      const value = this.#valueOf(flat, depth, salt);
      if ((isLast && branch === 0) || (value !== undefined && this.#schemas.judge(schema)(value) === undefined))
        return value;
      if (isLast) return undefined;
      [this.#branch, this.#budget] = [branch, budget];
    }
  }

  #valueOf(flat: JsonObject, depth: number, salt: number): Json | undefined {
    if (flat['const'] !== undefined) return typed(flat, flat['const']);
    const allowed = arrayOf(flat['enum']).filter((one) => one !== null || arrayOf(flat['enum']).length === 1);
    if (allowed.length > 0) return typed(flat, allowed[(salt + this.#attempt) % allowed.length] ?? null);
    const type = this.#typeOf(flat);
    if (type === 'object') return this.#object(flat, depth);
    if (type === 'array') return this.#array(flat, depth);
    if (type === 'integer' || type === 'number') return typed(flat, numberOf(flat, type, salt));
    if (type === 'boolean') return (salt + this.#attempt) % 2 === 0;
    return type === 'null' ? null : this.#string(flat, salt);
  }

  #typeOf(flat: JsonObject): string {
    const types = [flat['type'] ?? []].flat().filter((one) => typeof one === 'string');
    const [first = inferredType(flat)] = types.filter((one) => one !== 'null');
    return types.length === 1 && types[0] === 'null' ? 'null' : first;
  }

  /** The schema with its references followed, its allOf merged and its choices made. */
  #flatten(schema: Json, depth: number, derived?: string): JsonObject {
    if (!isObject(schema) || depth > MAX_DEPTH * 2) return {};
    const { $ref, allOf, oneOf, anyOf, ...own } = schema;
    if (typeof $ref === 'string') {
      const target = resolve(this.#document.view, { $ref });
      const followed = this.#flatten(target ?? {}, depth + 1, derived ?? nameOf($ref));
      return this.#document.is30 ? followed : merge(followed, this.#flatten({ ...schema, $ref: null }, depth + 1));
    }
    const self = derived ?? '';
    const parts = arrayOf(allOf).map((part) => this.#flatten(part, depth + 1, self));
    const choices = [oneOf, anyOf].map(arrayOf).filter((branches) => branches.length > 0);
    const chosen = choices.map((branches) => this.#choose(schema, branches, depth));
    const kind = choices.length === 0 ? this.#kind(schema, self, depth) : {};
    return [own, ...parts, ...chosen, kind].reduce(merge, {});
  }

  #choose(schema: JsonObject, branches: readonly Json[], depth: number): JsonObject {
    const usable = branches.filter((one) => objectOf(one)['type'] !== 'null');
    this.#branches = Math.max(this.#branches, usable.length);
    const index = (this.#attempt + this.#branch) % usable.length;
    const branch = usable[index] ?? null;
    const chosen = this.#flatten(branch, depth + 1);
    const { $ref } = objectOf(branch);
    return typeof $ref === 'string' ? merge(chosen, this.#discriminated(schema, nameOf($ref), chosen)) : chosen;
  }

  /** The value of the discriminator of a schema that others extend. */
  #kind(schema: JsonObject, self: string, depth: number): JsonObject {
    if (!isObject(schema['discriminator'])) return {};
    const targets = Object.values(objectOf(schema['discriminator']['mapping'])).filter(
      (one) => typeof one === 'string',
    );
    const isTarget = targets.some((one) => nameOf(one) === self);
    if (isTarget || targets.length === 0 || depth > MAX_DEPTH) return this.#discriminated(schema, self, schema);
    const target = targets[this.#attempt % targets.length] ?? '';
    const name = nameOf(target);
    const child = objectOf(objectOf(objectOf(this.#document.view['components'])['schemas'])[name]);
    const flat = this.#flatten(child, MAX_DEPTH + 1, name);
    return merge(flat, this.#discriminated(schema, name, flat));
  }

  /** What the discriminator of a schema says of a chosen one. */
  #discriminated(schema: JsonObject, name: string, chosen: JsonObject): JsonObject {
    const { propertyName, mapping } = objectOf(schema['discriminator']);
    if (typeof propertyName !== 'string' || name === '') return {};
    const mapped = Object.entries(objectOf(mapping)).find(([, one]) => typeof one === 'string' && nameOf(one) === name);
    const property = this.#flatten(objectOf(chosen['properties'])[propertyName] ?? {}, MAX_DEPTH);
    const allowed = 'const' in property ? [property['const'] ?? null] : arrayOf(property['enum']);
    const wanted = mapped?.[0] ?? name;
    // Many contracts forget the mapping: what the schema itself allows is right then.
    const value = allowed.length === 0 || allowed.includes(wanted) ? wanted : (allowed[0] ?? null);
    return { properties: { [propertyName]: { const: value } } };
  }

  #object(flat: JsonObject, depth: number): JsonObject | undefined {
    const required = arrayOf(flat['required']).filter((one) => typeof one === 'string');
    const properties = objectOf(flat['properties']);
    const isRich = depth < OPTIONAL_DEPTH && this.#attempt < ATTEMPTS - 4;
    const made: JsonObject = {};
    for (const name of new Set([...required, ...Object.keys(properties)])) {
      const property = properties[name] ?? this.#undeclared(flat);
      const isRequired = required.includes(name);
      if (this.#schemas.isHidden(property) || property === false) continue;
      const { maxProperties } = flat;
      const isFull = typeof maxProperties === 'number' && Object.keys(made).length >= maxProperties;
      // Where a property with a default is absent, an engine may add it.
      const isAdded = objectOf(resolve(this.#document.view, property))['default'] !== undefined;
      if (!isRequired && !isAdded && (!isRich || isFull || this.#budget < 0)) continue;
      const value = this.#value(property, depth + 1, 0);
      if (value === undefined && isRequired) return undefined;
      if (value !== undefined) made[name] = value;
    }
    const { minProperties } = flat;
    const wanted = typeof minProperties === 'number' ? minProperties : Object.keys(properties).length > 0 ? 0 : 1;
    if (flat['additionalProperties'] === false && flat['patternProperties'] === undefined) return made;
    for (let nth = 0; Object.keys(made).length < wanted && depth < OPTIONAL_DEPTH + 2 && nth < 20; nth++) {
      const value = this.#value(this.#undeclared(flat), depth + 1, nth);
      const [pattern] = Object.keys(objectOf(flat['patternProperties']));
      const names = pattern === undefined ? objectOf(flat['propertyNames']) : { pattern };
      const name =
        Object.keys(names).length === 0 ? `key${nth}` : this.#value({ type: 'string', ...names }, depth, nth);
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
      const value = item === false ? undefined : this.#value(item, depth + 1, index);
      const isRepeated =
        flat['uniqueItems'] === true && made.some((one) => canonical(one) === canonical(value ?? null));
      if (value !== undefined && !isRepeated) made.push(value);
    }
    return made.length < least ? undefined : made;
  }

  #string(flat: JsonObject, salt: number): string | undefined {
    const { format, pattern, minLength, maxLength, example, examples } = flat;
    const least = typeof minLength === 'number' ? minLength : 0;
    const most = typeof maxLength === 'number' ? maxLength : Infinity;
    const patterns = arrayOf(pattern)
      .concat(pattern ?? [])
      .filter((one) => typeof one === 'string');
    const fits = (text: string): boolean =>
      codePoints(text).length >= least &&
      codePoints(text).length <= most &&
      patterns.every((one) => expression(one)?.test(text) ?? true);
    const formatted = typeof format === 'string' ? FORMATS[format]?.(salt) : undefined;
    const plain = sized(salt === 0 ? this.#text : `${this.#text}${salt}`, least, most);
    const declared = [example, ...arrayOf(examples)].filter((one) => typeof one === 'string');
    const candidates = [
      ...(formatted === undefined ? [plain] : [formatted]),
      ...declared,
      sized(`a${salt}`, least, most),
    ];
    const matches = (): string[] => patterns.flatMap((one) => matching(one, least, most)).filter(fits);
    if (salt === 0) return candidates.find(fits) ?? matches()[0] ?? formatted;
    const fitting = [...new Set([...candidates.slice(0, 1).filter(fits), ...matches()])];
    return fitting[salt % fitting.length] ?? formatted;
  }
}

function nameOf($ref: string): string {
  return decodeURIComponent($ref.slice($ref.lastIndexOf('/') + 1));
}

function inferredType(flat: JsonObject): string {
  if ('properties' in flat || 'additionalProperties' in flat || 'required' in flat || 'minProperties' in flat) {
    return 'object';
  }
  if ('items' in flat || 'prefixItems' in flat) return 'array';
  const { format } = flat;
  if (format === 'int32' || format === 'int64') return 'integer';
  return 'minimum' in flat || 'maximum' in flat || 'multipleOf' in flat ? 'number' : 'string';
}

/** Both schemas as one, where that can be said in one. */
function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a, ...b };
  for (const [key, mine] of Object.entries(a)) {
    const other = b[key];
    if (other !== undefined) merged[key] = mergedKeyword(key, mine, other);
  }
  return merged;
}

function mergedKeyword(key: string, mine: Json, other: Json): Json {
  if (key === 'properties') {
    const names = [...new Set([...Object.keys(objectOf(mine)), ...Object.keys(objectOf(other))])];
    return Object.fromEntries(
      names.map((name) => {
        const both = [objectOf(mine)[name], objectOf(other)[name]].filter((one) => one !== undefined);
        return [name, both.length === 1 ? (both[0] ?? {}) : { allOf: both }];
      }),
    );
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

/** The value as handlers have it: an int64 is a bigint. */
function typed({ type, format }: JsonObject, value: Json): Json {
  const isInt64 = format === 'int64' && [type ?? 'integer'].flat().includes('integer');
  return isInt64 && Number.isInteger(value) ? BigInt(Number(value)) : value;
}

function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function numberOf(flat: JsonObject, type: string, salt: number): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = flat;
  const low = bound([minimum, exclusiveMinimum], Math.max, -Infinity);
  const high = bound([maximum, exclusiveMaximum], Math.min, Infinity);
  const isAbove = exclusiveMinimum === true ? low < Infinity : isNumber(exclusiveMinimum);
  const isBelow = exclusiveMaximum === true ? high > -Infinity : isNumber(exclusiveMaximum);
  const step = isNumber(multipleOf) ? Number(multipleOf) : type === 'integer' ? 1 : 0.25;
  const fits = (value: number): boolean =>
    (isAbove ? value > low : value >= low) && (isBelow ? value < high : value <= high);
  // Beyond 2^53 on purpose: an engine that rounds gives a neighbour.
  if (type === 'integer' && flat['format'] === 'int64' && step === 1 && fits(2 ** 53 + 2 + salt)) {
    return 2n ** 53n + 1n + BigInt(salt * 2);
  }
  const cents = step < 1 ? [round(1999 * step, step)] : [];
  const aligned = [Math.ceil(low / step), Math.floor(high / step)].filter(Number.isFinite).map((one) => one * step);
  const steps = [
    ...cents,
    12,
    12 * step,
    ...aligned,
    ...aligned.flatMap((one) => [one + step, one - step]),
    0,
    (low + high) / 2,
  ];
  const salted = steps.flatMap((one) => [one + salt * step, one]).map((one) => round(one, step));
  return salted.find((one) => fits(one) && Number.isInteger(round(one / step, 1e-6))) ?? 1;
}

/** Without the error of binary fractions. */
function round(value: number, step: number): number {
  return Number.isInteger(step) ? value : Number(value.toFixed(9));
}

function bound(
  bounds: readonly (Json | undefined)[],
  narrower: (a: number, b: number) => number,
  none: number,
): number {
  return bounds
    .filter(isNumber)
    .map(Number)
    .reduce((a, b) => narrower(a, b), none);
}

/** The text, repeated or cut to a length in code points. */
function sized(text: string, least: number, most: number): string {
  const repeated = text.repeat(Math.max(1, Math.ceil(least / codePoints(text).length)));
  return codePoints(repeated)
    .slice(0, Math.max(least, Math.min(codePoints(text).length, most)))
    .join('')
    .trim()
    .padEnd(least, 'a');
}

function codePoints(text: string): string[] {
  return Array.from(text);
}

const EXPRESSIONS = new Map<string, RegExp | undefined>();

/** The regular expression, with the u flag where that is possible; undefined for none at all. */
function expression(pattern: string): RegExp | undefined {
  if (!EXPRESSIONS.has(pattern)) EXPRESSIONS.set(pattern, compiled(pattern, 'u') ?? compiled(pattern, ''));
  return EXPRESSIONS.get(pattern);
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

const MATCHES = new Map<string, string[]>();

/** Texts that match a pattern; none where fast-check cannot read it. */
function matching(pattern: string, least: number, most: number): string[] {
  const key = `${pattern} ${least} ${most}`;
  const known = MATCHES.get(key);
  if (known !== undefined) return known;
  const made = sampled(pattern, most);
  MATCHES.set(key, made);
  return made;
}

function sampled(pattern: string, most: number): string[] {
  const found = expression(pattern);
  if (found === undefined) return [];
  const numRuns = 200;
  try {
    const texts = fc.sample(fc.stringMatching(found, { size: most > 30 ? 'medium' : 'small' }), { numRuns, seed: 1 });
    // Printable ASCII first: headers and cookies can carry it.
    return texts.toSorted((a, b) => Number(/^[ -~]+$/.test(b)) - Number(/^[ -~]+$/.test(a)));
  } catch {
    return [];
  }
}

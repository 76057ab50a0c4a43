import { isDeepStrictEqual } from 'node:util';
import {
  isObject,
  isReference,
  resolve,
  type OpenApiDocument,
  type Schema,
} from '../../src/contract/document/openapi-document.ts';

/** Who writes the values of a schema: the client or the service. */
export type Direction = 'request' | 'response';

/** A keyword of a schema that changed in a way that breaks clients. */
export interface SchemaChange {
  /** The parameter, header or property that the schema describes. */
  readonly subject: string;
  readonly text: string;
  /** The names of oasdiff's checks that speak of this keyword. */
  readonly kind: RegExp;
}

/** Keywords that narrow a schema, with what oasdiff calls them. */
const NARROWING: Readonly<Record<string, RegExp>> = {
  maximum: /-max-/,
  exclusiveMaximum: /-exclusive-max-/,
  maxLength: /-max-length-/,
  maxItems: /-max-items-/,
  maxProperties: /-max-properties-/,
  minimum: /-min-/,
  exclusiveMinimum: /-exclusive-min-/,
  minLength: /-min-length-/,
  minItems: /-min-items-/,
  minProperties: /-min-properties-/,
  multipleOf: /-multiple-of-/,
  uniqueItems: /-unique-items-/,
  pattern: /-pattern-/,
  enum: /-enum/,
  const: /-const-/,
  not: /-not-/,
};

const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/** Compares two schemas, each in its document, over their whole depth. */
export class SchemaComparison {
  readonly #base: OpenApiDocument;
  readonly #revision: OpenApiDocument;

  constructor(base: OpenApiDocument, revision: OpenApiDocument) {
    this.#base = base;
    this.#revision = revision;
  }

  changes(base: unknown, revision: unknown, direction: Direction, subject: string): SchemaChange[] {
    return [...this.#compare(base, revision, direction, subject, new Map())];
  }

  *#compare(
    left: unknown,
    right: unknown,
    direction: Direction,
    subject: string,
    seen: Map<unknown, Set<unknown>>,
  ): Generator<SchemaChange> {
    // Schemas may contain themselves.
    if (seen.get(left)?.has(right) === true) return;
    seen.set(left, (seen.get(left) ?? new Set()).add(right));
    const [from, to] = [follow(this.#base, left), follow(this.#revision, right)];
    yield* typeChanges(from, to, direction, subject);
    yield* narrowingChanges(from, to, direction, subject);
    yield* requiredChanges(from, to, direction);
    for (const [name, one, other] of children(from, to, subject)) {
      yield* this.#compare(one, other, direction, name, seen);
    }
  }
}

/** A schema without its reference; keywords beside `$ref` count too. `true` and what is no schema have no keywords. */
function follow(document: OpenApiDocument, value: unknown): Schema {
  if (!isObject(value)) return value === false ? { not: {} } : {};
  return isReference(value) ? { ...resolve<Schema>(document, value), ...value } : value;
}

/** The type or format is another one; the client may no longer send null, or gets null. */
function* typeChanges(from: Schema, to: Schema, direction: Direction, subject: string): Generator<SchemaChange> {
  const [before, after] = [typeOf(from), typeOf(to)];
  if (before.name !== after.name) {
    yield {
      subject,
      text: `the type of '${subject}' was ${before.name} and is ${after.name}`,
      kind: /-type-|-types-|-became-enum$|-const-/,
    };
  }
  const [wide, narrow] = direction === 'request' ? [before, after] : [after, before];
  if (wide.nullable && !narrow.nullable) {
    const text = direction === 'request' ? `'${subject}' can no longer be null` : `'${subject}' can be null now`;
    yield { subject, text, kind: /-nullable$/ };
  }
}

function typeOf({ type, format }: Schema): { name: string; nullable: boolean } {
  const types = type === undefined ? [] : [type].flat();
  const name = types.filter((one) => one !== 'null').sort();
  return {
    name: `${name.length === 0 ? 'any' : name.join(' or ')}${format === undefined ? '' : ` (${format})`}`,
    nullable: types.includes('null'),
  };
}

/** What the client may send got narrower; what it may get got wider. */
function* narrowingChanges(from: Schema, to: Schema, direction: Direction, subject: string): Generator<SchemaChange> {
  for (const [keyword, kind] of Object.entries(NARROWING)) {
    const [before, after] = [from[keyword], to[keyword]];
    const breaks = direction === 'request' ? narrower(keyword, before, after) : narrower(keyword, after, before);
    if (breaks) yield { subject, text: `${keyword} of '${subject}' ${became(before, after)}`, kind };
  }
  const [before = true, after = true] = [from['additionalProperties'], to['additionalProperties']];
  const closed = after === false ? before !== false : before === true && isObject(after);
  if (direction === 'request' && closed) {
    const text = `additionalProperties of '${subject}' ${became(before, after)}`;
    yield { subject, text, kind: /-additional-properties-/ };
  }
}

function narrower(keyword: string, from: unknown, to: unknown): boolean {
  if (isDeepStrictEqual(from, to) || to === undefined || to === false) return false;
  if (from === undefined || from === false) return true;
  if (typeof from === 'number' && typeof to === 'number') {
    if (/^(max|exclusiveMax)/.test(keyword)) return to < from;
    if (/^(min|exclusiveMin)/.test(keyword)) return to > from;
    if (keyword === 'multipleOf') return from % to !== 0;
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    const kept: readonly unknown[] = to;
    return from.some((value) => !kept.some((one) => isDeepStrictEqual(one, value)));
  }
  return true;
}

function became(before: unknown, after: unknown): string {
  if (after === undefined) return `was ${JSON.stringify(before)} and is gone`;
  return `is ${JSON.stringify(after)}${before === undefined ? ' now' : ` and was ${JSON.stringify(before)}`}`;
}

function* requiredChanges(from: Schema, to: Schema, direction: Direction): Generator<SchemaChange> {
  const [wide, narrow] = direction === 'request' ? [from, to] : [to, from];
  for (const subject of names(narrow['required']).filter((name) => !names(wide['required']).includes(name))) {
    const text = direction === 'request' ? `'${subject}' is required now` : `'${subject}' is no longer always there`;
    yield { subject, text, kind: /required|optional/ };
  }
}

function names(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** The pairs of schemas within a pair of schemas, with what each describes. */
function* children(from: Schema, to: Schema, subject: string): Generator<[string, unknown, unknown]> {
  const [before, after] = [from['properties'], to['properties']];
  if (isObject(before) && isObject(after)) {
    for (const name of Object.keys(before).filter((key) => Object.hasOwn(after, key))) {
      yield [name, before[name], after[name]];
    }
  }
  for (const keyword of ['items', 'additionalProperties']) {
    const [one, other] = [from[keyword], to[keyword]];
    if (isObject(one) && isObject(other)) yield [subject, one, other];
  }
  for (const keyword of LISTS) {
    const [ones, others] = [from[keyword], to[keyword]];
    if (!Array.isArray(ones) || !Array.isArray(others) || ones.length !== others.length) continue;
    const pairs: readonly unknown[] = others;
    for (const [index, one] of ones.entries()) yield [subject, one, pairs[index]];
  }
}

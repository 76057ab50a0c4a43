import { http } from '../http/node-http.ts';
import type { RequestError } from '../errors/errors.ts';
import { fieldsOf, isObject, list, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { partsOf } from '../schema/schema-graph.ts';

/** The most levels of a value. */
const MOST_LEVELS = 8;
/** The most choices among alternatives for one value. */
const MOST_CHOICES = 100;

/**
 * Values of a schema that tell a failure, the likeliest first: required texts are its message and
 * required numbers its status, where constants and formats do not say otherwise. They may be
 * invalid, by a pattern for example.
 */
export function errorValues(document: OpenApiDocument, schema: Schema, error: RequestError): Iterable<unknown> {
  return new ErrorValues(document, error).valuesOf([schema], '', 0);
}

/** The types of JSON Schema in the order in which they are tried. */
const KINDS = ['object', 'string', 'integer', 'number', 'array', 'boolean', 'null'] as const;
type Kind = (typeof KINDS)[number];

/** Optional properties that tell a failure; others are left out. */
const TELLING = ['title', 'status', 'detail', 'reason', 'message', 'description', 'error', 'errors'];

/** Properties that say whether the request succeeded. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['success', false],
  ['ok', false],
  ['error', true],
]);

/** Constants that name any failure: `fail` is the client's, `error` the service's (JSend). */
const FAILURE_WORDS = ['fail', 'failed', 'failure', 'error'];

class ErrorValues {
  readonly #document: OpenApiDocument;
  readonly #error: RequestError;
  #choices = 0;

  constructor(document: OpenApiDocument, error: RequestError) {
    this.#document = document;
    this.#error = error;
  }

  /** @param schemas that all hold. @param name of the property that has the value. */
  *valuesOf(schemas: readonly unknown[], name: string, level: number): Generator<unknown, void> {
    if (level > MOST_LEVELS || schemas.includes(false)) return;
    for (const parts of this.#alternatives(this.#partsOf(schemas), new Set())) {
      const value = this.#valueOf(parts, name, level);
      if (value !== undefined) yield value;
    }
  }

  #partsOf(schemas: readonly unknown[]): readonly Schema[] {
    return [...new Set(schemas.flatMap((schema) => partsOf(this.#document, schema)))];
  }

  /** The parts with one alternative of each `oneOf` and `anyOf`, in every combination. */
  *#alternatives(parts: readonly Schema[], chosen: ReadonlySet<Schema>): Generator<readonly Schema[], void> {
    const undecided = parts.find((part) => !chosen.has(part) && alternativesOf(part).length > 0);
    if (undecided === undefined) {
      if (this.#choices++ < MOST_CHOICES) yield parts;
      return;
    }
    for (const alternative of alternativesOf(undecided)) {
      if (this.#choices >= MOST_CHOICES) return;
      if (alternative === false) continue;
      yield* this.#alternatives(this.#partsOf([...parts, alternative]), new Set([...chosen, undecided]));
    }
  }

  #valueOf(parts: readonly Schema[], name: string, level: number): unknown {
    const constants = constantsOf(parts);
    if (constants !== undefined) return this.#constantOf(constants);
    switch (kindOf(parts)) {
      case 'object':
        return this.#objectOf(parts, level);
      case 'array':
        return this.#arrayOf(parts, level);
      case 'string':
        return this.#textOf(parts, name);
      case 'integer':
      case 'number':
        return this.#error.status;
      case 'boolean':
        return FLAGS.get(name);
      case 'null':
        return null;
      case undefined:
        return undefined;
    }
  }

  /** The only constant, or the constant that names the failure. */
  #constantOf(constants: readonly unknown[]): unknown {
    if (constants.length === 1) return constants[0];
    const { reason, status } = this.#error;
    const words = status < 500 ? FAILURE_WORDS : FAILURE_WORDS.toReversed();
    const names = [reason, http.STATUS_CODES[status] ?? '', String(status), ...words].map(wordsOf);
    return names.map((name) => constants.find((constant) => wordsOf(String(constant)) === name)).find(isDefined);
  }

  #objectOf(parts: readonly Schema[], level: number): object | undefined {
    const required = new Set(parts.flatMap((part) => list(part['required'])).filter(isText));
    const declared = parts.flatMap((part) => Object.keys(fieldsOf(part['properties'])));
    const members: [string, unknown][] = [];
    for (const name of new Set([...declared, ...required])) {
      if (!required.has(name) && !TELLING.includes(name)) continue;
      const schemas = parts.flatMap((part) => propertySchemas(part, name));
      if (this.#partsOf(schemas).some(({ writeOnly }) => writeOnly === true)) continue;
      const [value] = this.valuesOf(schemas.length === 0 ? [{}] : schemas, name, level + 1);
      if (value !== undefined) members.push([name, value]);
      else if (required.has(name)) return undefined;
    }
    return Object.fromEntries(members);
  }

  #arrayOf(parts: readonly Schema[], level: number): readonly unknown[] | undefined {
    const schemas = parts.flatMap(({ prefixItems, items }) => [list(prefixItems)[0] ?? items]).filter(isDefined);
    const least = Math.max(0, ...parts.map(({ minItems }) => Number(minItems ?? 0)));
    const [item] = this.valuesOf(schemas.length === 0 ? [{}] : schemas, '', level + 1);
    const saysSomething = item !== undefined && !(isObject(item) && Object.keys(item).length === 0);
    if (least > 1 || (least === 1 && item === undefined)) return undefined;
    return saysSomething || least === 1 ? [item] : [];
  }

  #textOf(parts: readonly Schema[], name: string): string {
    const { reason, status, message } = this.#error;
    const named = new Map([
      ['title', http.STATUS_CODES[status] ?? 'Error'],
      ['status', String(status)],
      ['reason', reason],
    ]);
    const formatted = parts.map(({ format }) => textOfFormat(format)).find(isDefined);
    const most = Math.min(...parts.map(({ maxLength }) => Number(maxLength ?? Infinity)));
    const text = formatted ?? named.get(name) ?? message;
    return text.length <= most ? text : Array.from(text).slice(0, most).join('');
  }
}

function alternativesOf({ oneOf, anyOf }: Schema): readonly unknown[] {
  return oneOf === undefined ? list(anyOf) : list(oneOf);
}

/** The values that every `const` and `enum` allows; undefined without one. */
function constantsOf(parts: readonly Schema[]): readonly unknown[] | undefined {
  const [first, ...others] = parts.flatMap(({ const: only, enum: allowed }) => [
    ...(only === undefined ? [] : [[only]]),
    ...(Array.isArray(allowed) ? [allowed as readonly unknown[]] : []),
  ]);
  return first?.filter((value) => others.every((values) => values.includes(value)));
}

/** The first type that every part allows. */
function kindOf(parts: readonly Schema[]): Kind | undefined {
  const types = parts.filter(({ type }) => type !== undefined).map(({ type }) => [type].flat());
  if (types.length > 0) return KINDS.find((kind) => types.every((allowed) => isOfTypes(kind, allowed)));
  if (parts.some((part) => 'properties' in part || 'required' in part)) return 'object';
  return parts.some((part) => 'items' in part || 'prefixItems' in part) ? 'array' : 'string';
}

function isOfTypes(kind: Kind, types: readonly (string | undefined)[]): boolean {
  return types.includes(kind) || (kind === 'integer' && types.includes('number'));
}

/** The schemas of a part for a property. */
function propertySchemas(part: Schema, name: string): readonly unknown[] {
  const properties = fieldsOf(part['properties']);
  if (Object.hasOwn(properties, name)) return [properties[name]];
  const { additionalProperties } = part;
  return additionalProperties === undefined || additionalProperties === true ? [] : [additionalProperties];
}

/** A date of now, or `about:blank` for addresses (RFC 9457, section 3.1.1). */
function textOfFormat(format: unknown): string | undefined {
  const now = new Date().toISOString();
  if (format === 'date-time') return now;
  if (format === 'date') return now.slice(0, now.indexOf('T'));
  return format === 'uri' || format === 'uri-reference' ? 'about:blank' : undefined;
}

/** A name without what names are written with differently: `not_found` and `Not Found`. */
function wordsOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}

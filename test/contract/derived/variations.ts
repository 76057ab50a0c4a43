import type { Schema } from '../../../src/contract/document/openapi-document.ts';
import { MAX_DEPTH } from '../../../src/contract/bodies/json-body.ts';
import { BODY_LIMITS } from '../../../src/contract/bodies/limits.ts';
import type { Operation } from '../../../src/contract/document/load.ts';
import { contract } from '../../support/service.ts';
import { bodiesOf } from './bodies.ts';
import { invalidTexts } from './invalid.ts';
import { boundaryValues, flatten, typesOf, type Value } from './values.ts';
import { bodyTypeOf, isJson, toWire, withQuery, type RequestValues, type WireRequest } from './wire.ts';

/** A request that differs from one that succeeds in one place, and what that place is. */
export interface Variation {
  readonly name: string;
  readonly request: WireRequest;
  /** What a valid request says. */
  readonly values?: RequestValues;
}

const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'headers' } as const;

/**
 * Requests that the contract allows: every boundary of every parameter and body, optional parts
 * present and absent.
 */
export function validVariations(operation: Operation, base: RequestValues): Variation[] {
  const parameters = operation.parameters.flatMap(
    ({ name, in: place, required, schema = {}, example, examples = {} }) => {
      const examined = [example, ...Object.values(examples).map(({ value }) => value)].filter(
        (value) => value !== undefined,
      );
      const values = [...parameterValues(flatten(contract.document, schema)), ...examined];
      const present = values.map((value) => vary(operation, base, GROUPS[place], name, value));
      return required === true ? present : [...present, vary(operation, base, GROUPS[place], name, undefined)];
    },
  );
  const bodies = bodiesFor(operation, base).valid.map((body) => ({
    name: `the body ${show(body)}`,
    request: toWire(operation, { ...base, body }),
    values: { ...base, body },
  }));
  return [...parameters, ...bodies];
}

/** Requests that the contract does not allow, each for one reason. */
export function invalidVariations(operation: Operation, base: RequestValues): Variation[] {
  return [...invalidParameters(operation, base), ...invalidQueries(operation, base), ...invalidBodies(operation, base)];
}

function invalidParameters(operation: Operation, base: RequestValues): Variation[] {
  return operation.parameters.flatMap(({ name, in: place, required, schema = {} }) => {
    const flat = flatten(contract.document, schema);
    const group = GROUPS[place];
    const items = typesOf(flat).includes('array') ? flatten(contract.document, flat['items'] as Schema) : flat;
    // Header fields cannot carry control characters or surrounding spaces (RFC 9110, section 5.5).
    const texts = invalidTexts(items).filter((text) => place !== 'header' || /^[!-~]+$/.test(text));
    const wrong = texts.map((text) => vary(operation, base, group, name, text));
    if (place === 'path') return wrong;
    const missing = required === true ? [vary(operation, base, group, name, undefined)] : [];
    if (place !== 'query') return [...wrong, ...missing];
    const [first] = parameterValues(flat);
    const repeated = items === flat ? [append(operation, base, `${name}=${text(first)}&${name}=${text(first)}`)] : [];
    return [...wrong, ...missing, ...repeated, append(operation, base, `${name}=`)];
  });
}

function invalidQueries(operation: Operation, base: RequestValues): Variation[] {
  return ['never-declared=1', 'never-declared', '=1', '[x]=1', '__proto__=1', '__proto__[x]=1', '%ff=1', 'a=%'].map(
    (query) => append(operation, base, query),
  );
}

function invalidBodies(operation: Operation, base: RequestValues): Variation[] {
  const good = toWire(operation, base);
  const type = bodyTypeOf(operation);
  const typed = { ...good.headers, 'Content-Type': type };
  const raw = (name: string, body: string, headers: Record<string, string> = typed): Variation => ({
    name,
    request: { ...good, headers, body },
  });
  if (operation.requestBody === undefined) return [raw('an undeclared body', '{}'), raw('an undeclared text', 'x')];
  const text = good.body ?? '{}';
  const { 'Content-Type': _, ...untyped } = typed;
  const { body: __, ...bodiless } = good;
  return [
    ...bodiesFor(operation, base).invalid.map((body) => ({
      name: `the body ${show(body)}`,
      request: toWire(operation, { ...base, body }),
    })),
    ...(operation.requestBody.required === true
      ? [{ name: 'no body', request: { ...bodiless, headers: untyped } }]
      : []),
    raw('a body of another type', text, { ...typed, 'Content-Type': 'text/plain' }),
    raw('a body without type', text, { ...untyped, 'Content-Type': '' }),
    ...(isJson(type) ? invalidJson(text).map(([name, body]) => raw(name, body)) : []),
  ];
}

/** Malformed JSON, and JSON that is too large to parse. */
function invalidJson(text: string): [name: string, body: string][] {
  return [
    ['malformed JSON', `${text}}`],
    ['half of the JSON', text.slice(0, -1)],
    ['JSON that is nested too deep', `${'['.repeat(MAX_DEPTH + 1)}${']'.repeat(MAX_DEPTH + 1)}`],
    ['JSON that is too large', `${' '.repeat(BODY_LIMITS.buffered)}${text}`],
  ];
}

function bodiesFor(
  operation: Operation,
  { body }: RequestValues,
): { valid: readonly Value[]; invalid: readonly Value[] } {
  const type = bodyTypeOf(operation);
  const schema = operation.requestBody?.content[type]?.schema;
  if (schema === undefined) return { valid: [], invalid: [] };
  // A fixture's body is typed by the contract, which knows only values of JSON.
  const { valid, invalid } = bodiesOf(contract.document, schema, (body ?? {}) as Value);
  // Any other value is a text too.
  return { valid, invalid: isJson(type) ? invalid : invalid.filter((value) => typeof value === 'string') };
}

function parameterValues(flat: Schema): Value[] {
  if (!typesOf(flat).includes('array')) return boundaryValues(flat);
  return boundaryValues(flatten(contract.document, flat['items'] as Schema)).map((item) => [item]);
}

function vary(
  operation: Operation,
  base: RequestValues,
  group: 'params' | 'query' | 'headers',
  name: string,
  value: unknown,
): Variation {
  const { [name]: _, ...others } = base[group] ?? {};
  const changed = { ...base, [group]: value === undefined ? others : { ...others, [name]: value } };
  const request = toWire(operation, changed);
  return { name: `${name} ${value === undefined ? 'absent' : show(value)}`, request, values: changed };
}

function append(operation: Operation, base: RequestValues, query: string): Variation {
  const request = toWire(operation, base);
  return { name: `the query ${query}`, request: { ...request, target: withQuery(request.target, query) } };
}

function show(value: unknown): string {
  return JSON.stringify(text(value).slice(0, 60));
}

function text(value: unknown): string {
  return value === undefined || typeof value === 'string'
    ? (value ?? '')
    : JSON.stringify(value, bigintsAsText).replaceAll(/^"|"$/g, '');
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

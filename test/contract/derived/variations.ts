import {
  boundaryValues,
  canonical,
  changes,
  ExampleMessages,
  examplesOf,
  isJson,
  isObject,
  objectOf,
  schemaOf,
  textOf,
  wrongArguments,
  type Json,
  type JsonObject,
} from 'openapi-exact-cli/examples';
import type { Operation } from 'openapi-exact';
import {
  bodyOf,
  document,
  essenceOf,
  flatten,
  GROUPS,
  parametersOf,
  operationKeyOf,
  type RequestValues,
  schemas,
  toWire,
  type WireRequest,
  withQuery,
} from './wire.ts';

/** A request that differs from one that succeeds in one place, and what that place is. */
export interface Variation {
  readonly name: string;
  readonly request: WireRequest;
  /** What a valid request says. */
  readonly values?: RequestValues;
}

/**
 * Requests that the contract allows: every boundary of every parameter and body, optional parts
 * present and absent.
 */
export function validVariations(operation: Operation, base: RequestValues): Variation[] {
  const parameters = parametersOf(operation).flatMap((parameter) => {
    const schema = schemaOf(parameter);
    const { items } = flatten(schema);
    const candidates = boundaryValues(flatten(items ?? schema)).map((value) => (items === undefined ? value : [value]));
    const values = [...candidates, ...examplesOf(document.view, parameter)].filter((value) => value !== '');
    const valid = values.filter((value) => schemas.request.judge(schema)(value) === undefined);
    const present = valid.map((value) => vary(operation, base, parameter, value));
    return parameter['required'] === true ? present : [...present, vary(operation, base, parameter, undefined)];
  });
  const bodies = bodiesOf(operation, base, true).map(([name, body]) => {
    const values = { ...base, body };
    return { name: `the body ${name}`, request: toWire(operation, values), values };
  });
  return [...parameters, ...bodies];
}

/** What stores and languages change: quotes, wildcards, spaces, cases, offsets, digits. */
const MANGLED = [
  ...[`O'Neil "x" \\ %_ ; -- $1 ?`, ' spaced ', '007', 'MiXeD Ä ß 🌱 e\u0301', 'two\nlines\t', 'null'],
  ...['2024-02-29T23:30:00.123+05:30', 1 / 3, 16_777_217, 1e-7],
];

/** What a property may be changed to; a list to one that has its items again. */
function mangledLike(value: Json, schema: Json): Json[] {
  if (Array.isArray(value)) return [[...value, ...value.toReversed()]];
  const isFloat = flatten(schema)['format'] === 'float';
  return MANGLED.filter((mangled) => !isFloat || typeof mangled === 'string' || Math.fround(mangled) === mangled);
}

/** Requests that the contract allows, with values in their body that must come back as they are. */
export function mangledVariations(operation: Operation, base: RequestValues): Variation[] {
  const { type, content } = bodyOf(operation);
  const whole = new ExampleMessages(document).request(operationKeyOf(operation)).body?.value as Json | undefined;
  const schema = content?.['schema'] ?? {};
  const judge = schemas.request.judge(schema);
  return mangledBodies(schema, isJson(type) ? whole : base.body)
    .filter(([, body]) => judge(body) === undefined)
    .map(([name, body]) => {
      const values = { ...base, body };
      return { name: `the body ${name}`, request: toWire(operation, values), values };
    });
}

/** An object with one property changed, or a text that is changed. */
function mangledBodies(schema: Json, body: unknown): [string, Json][] {
  if (typeof body === 'string') return MANGLED.filter((text) => typeof text === 'string').map((text) => [text, text]);
  // The values of a request are typed by the contract, which knows only values of JSON.
  const whole = objectOf(body as Json | undefined);
  const properties = objectOf(flatten(schema)['properties']);
  return Object.entries(whole).flatMap(([name, value]) =>
    mangledLike(value, properties[name] ?? {}).map((changed): [string, Json] => [
      `/${name} ${textOf(changed)}`,
      { ...whole, [name]: changed },
    ]),
  );
}

/** The body with everything optional, with spaces around each text where they are allowed. */
export function spacedBody(operation: Operation): JsonObject | undefined {
  const { type, content } = bodyOf(operation);
  let body = new ExampleMessages(document).request(operationKeyOf(operation)).body?.value as Json | undefined;
  if (!isJson(type) || !isObject(body)) return undefined;
  const judge = schemas.request.judge(content?.['schema'] ?? {});
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') continue;
    const spaced: JsonObject = { ...body, [name]: ` ${value} ` };
    if (judge(spaced) === undefined) body = spaced;
  }
  return body;
}

/** Requests that the contract does not allow, each for one reason. */
export function invalidVariations(operation: Operation, base: RequestValues): Variation[] {
  return [...invalidParameters(operation, base), ...invalidQueries(operation, base), ...invalidBodies(operation, base)];
}

/**
 * Texts that no numeric parameter accepts, though one or the other language would read a number
 * from them.
 */
const NO_NUMBERS = [
  ...['0x10', '0b1', '0o7', '1_0', '1,0', '-', '--1', '+1', ' 1', '1 ', '1\n', '\n1', '1\r', '\t', '12\0', '\0'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'abc', '12n', '12L', '{id}', ':id', '12;x'],
  // Arabic, fullwidth and Devanagari digits; U+2212 MINUS SIGN; a byte order mark.
  ...['5/6', '/', '٣٤', '１２', '१२', '−5', '\uFEFF1'],
];
const NO_INTEGERS = [
  ...['007', '-0', '-00', '1.0', '1.', '.5', '1e3', '1E3'],
  ...['9'.repeat(400), `-${'9'.repeat(400)}`, `${'0'.repeat(300)}1`],
];
const NO_BOOLEANS = ['0', '1', 'yes', 'TRUE'];

function invalidParameters(operation: Operation, base: RequestValues): Variation[] {
  return parametersOf(operation).flatMap((parameter) => {
    const { name, in: place, required } = parameter;
    const schema = schemaOf(parameter);
    const { items } = flatten(schema);
    const types = [flatten(items ?? schema)['type'] ?? []].flat();
    const isNumeric = types.includes('integer') || types.includes('number');
    const texts = [
      ...wrongArguments(schemas.request, parameter),
      ...(isNumeric ? NO_NUMBERS : []),
      ...(types.includes('integer') ? NO_INTEGERS : []),
      ...(types.includes('boolean') ? NO_BOOLEANS : []),
    ];
    // Header fields cannot carry control characters or surrounding spaces (RFC 9110, section 5.5).
    const sent = texts.filter((text) => place !== 'header' || /^[!-~]+$/.test(text));
    const wrong = sent.map((text) => vary(operation, base, parameter, items === undefined ? text : [text]));
    const missing = required === true && place !== 'path' ? [vary(operation, base, parameter, undefined)] : [];
    if (place !== 'query') return [...wrong, ...missing];
    const pair = `${name}=${textOf(boundaryValues(flatten(schema))[0])}`;
    const repeated = items === undefined ? [append(operation, base, `${pair}&${pair}`)] : [];
    return [...wrong, ...missing, ...repeated, append(operation, base, `${name}=`)];
  });
}

function invalidQueries(operation: Operation, base: RequestValues): Variation[] {
  return [
    ...['never-declared=1', 'never-declared', '=1', '[x]=1', '__proto__=1', '__proto__[x]=1', '%ff=1', 'a=%'],
    ...['access_token=1', '?=1', 'a%0D%0Ab=1', 'a&'.repeat(2_000)],
  ].map((query) => append(operation, base, query));
}

function invalidBodies(operation: Operation, base: RequestValues): Variation[] {
  const good = toWire(operation, base);
  const { type } = bodyOf(operation);
  const { 'Content-Type': _, ...untyped } = good.headers;
  const raw = (name: string, body: string, contentType = type): Variation => ({
    name,
    request: { ...good, headers: { ...untyped, 'Content-Type': contentType }, body },
  });
  if (operation.requestBody === undefined) return [raw('an undeclared body', '{}'), raw('an undeclared text', 'x')];
  const text = good.body ?? '{}';
  const { body: __, ...bodiless } = good;
  const missing = { name: 'no body', request: { ...bodiless, headers: untyped } };
  return [
    ...bodiesOf(operation, base, false).map(([name, body]) => ({
      name: `the body ${name}`,
      request: toWire(operation, { ...base, body }),
    })),
    ...(operation.requestBody.required === true ? [missing] : []),
    ...refusedTypes(operation).map((refused) => raw(`a body of ${refused}`, text, refused)),
    raw('a body without type', text, ''),
    ...(isWhole(type) ? [raw('a body that is too large', `${' '.repeat(2 ** 20)}${text}`)] : []),
    ...(isJson(type)
      ? [
          raw('malformed JSON', `${text}}`),
          raw('half of the JSON', text.slice(0, -1)),
          raw('JSON that is nested too deep', `${'['.repeat(101)}${']'.repeat(101)}`),
        ]
      : []),
  ];
}

/** A media type that an operation does not accept, if there is one. */
function refusedTypes({ requestBody }: Operation): string[] {
  const accepted = Object.keys(requestBody?.content ?? {}).map(essenceOf);
  const candidates = ['text/plain', 'application/json', 'image/png'];
  const others = candidates.filter(
    (type) => ![type, type.replace(/[^/]*$/, '*'), '*/*'].some((known) => accepted.includes(known)),
  );
  return others.slice(0, 1);
}

/** Whether the service reads a body as a whole: a stream may be larger. */
function isWhole(type: string): boolean {
  return isJson(type) || /^text\//i.test(type) || /^application\/x-www-form-urlencoded/i.test(type);
}

/** Bodies that differ in one place from the given one, or from one with everything optional. */
function bodiesOf(operation: Operation, { body }: RequestValues, areValid: boolean): [string, Json][] {
  const { type, content } = bodyOf(operation);
  const schema = content?.['schema'];
  if (schema === undefined) return [];
  const judge = schemas.request.judge(schema);
  // A fixture's body is typed by the contract, which knows only values of JSON.
  const given = body as Json | undefined;
  const whole = new ExampleMessages(document).request(operationKeyOf(operation)).body?.value as Json | undefined;
  const bases = isJson(type) ? [given, whole] : [given];
  const found = new Map<string, [string, Json]>();
  for (const base of bases) {
    if (base === undefined) continue;
    for (const [name, changed] of [['as it is', base] as const, ...changes(schemas.request, schema, base)]) {
      // Any other value is a text too.
      if (!isJson(type) && typeof changed !== 'string') continue;
      if ((judge(changed) === undefined) === areValid) found.set(canonical(changed), [name, changed]);
    }
  }
  return [...found.values()];
}

function vary(
  operation: Operation,
  base: RequestValues,
  { name, in: place }: JsonObject & { name: string; in: keyof typeof GROUPS },
  value: Json | undefined,
): Variation {
  const group = GROUPS[place];
  const { [name]: _, ...others } = base[group] ?? {};
  const values = { ...base, [group]: value === undefined ? others : { ...others, [name]: value } };
  const shown = value === undefined ? 'absent' : JSON.stringify(textOf(value).slice(0, 60));
  return { name: `${name} ${shown}`, request: toWire(operation, values), values };
}

function append(operation: Operation, base: RequestValues, query: string): Variation {
  const request = toWire(operation, base);
  return { name: `the query ${query}`, request: { ...request, target: withQuery(request.target, query) } };
}

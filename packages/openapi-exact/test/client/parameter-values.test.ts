import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { serveForClient, type ServedContract } from './served-contract.ts';

type Location = 'path' | 'query' | 'header' | 'cookie';

/** A way in which a parameter is written. */
interface Writing {
  readonly location: Location;
  readonly style: string;
  readonly explode: boolean;
}

/** A shape of values, with the schema that describes them. */
interface Kind {
  readonly schema: object;
  readonly values: fc.Arbitrary<unknown>;
}

const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;
const STYLES: Readonly<Record<Location, readonly string[]>> = {
  path: ['simple', 'label', 'matrix', 'json'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json'],
  header: ['simple', 'json'],
  cookie: ['form', 'json'],
};
const LOCATIONS = Object.keys(STYLES) as Location[];
const writings: Writing[] = LOCATIONS.flatMap((location) =>
  STYLES[location].flatMap((style) => [true, false].map((explode) => ({ location, style, explode }))),
);

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 4 }),
  fc.stringMatching(/^[ ,.;=&|%+/?#a"[\]{}\\]{0,5}$/),
  fc.constantFrom('.', '..', 'null', 'true', '1', '%41', '[1]', '{"a":1}', '[object Object]'),
);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
// Zero has no sign in a text.
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const key = text.filter((name) => name !== '__proto__');

const TEXT = { type: 'string' };
const INT64 = { type: 'integer', format: 'int64' };
const listOf = (items: object): object => ({ type: 'array', items });
const mapOf = (additionalProperties: object): object => ({ type: 'object', additionalProperties });
const POINT = { type: 'object', properties: { id: INT64, name: TEXT }, additionalProperties: false };
const point = fc.record({ id: int64, name: text }, { requiredKeys: [] });
const NAMED = {
  ...{ id: INT64, name: TEXT, flag: { type: 'boolean' }, size: { type: 'number' } },
  ...{
    names: listOf(TEXT),
    ids: listOf(INT64),
    inner: POINT,
    points: listOf(POINT),
    'a b;c': TEXT,
    'ä=&': listOf(TEXT),
  },
};
const named = {
  ...{ id: int64, name: text, flag: fc.boolean(), size: number, names: fc.array(text, { maxLength: 3 }) },
  ...{ ids: fc.array(int64, { maxLength: 3 }), inner: point, points: fc.array(point, { maxLength: 2 }) },
  ...{ 'a b;c': text, 'ä=&': fc.array(text, { maxLength: 2 }) },
};
const listed = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 });
const mapped = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  // A null prototype would be another object to a test.
  fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true });
const KINDS: Readonly<Record<string, Kind>> = {
  text: { schema: TEXT, values: text },
  integer: { schema: INT64, values: int64 },
  number: { schema: { type: 'number' }, values: number },
  boolean: { schema: { type: 'boolean' }, values: fc.boolean() },
  nullable: { schema: { type: ['integer', 'null'], format: 'int64' }, values: fc.option(int64) },
  texts: { schema: listOf(TEXT), values: listed(text) },
  integers: { schema: listOf(INT64), values: listed(int64) },
  lists: { schema: listOf(listOf(TEXT)), values: listed(listed(text)) },
  points: { schema: listOf(POINT), values: listed(point) },
  object: {
    schema: { type: 'object', properties: NAMED, additionalProperties: false },
    values: fc.record(named, { requiredKeys: [] }),
  },
  map: { schema: mapOf(TEXT), values: mapped(text) },
  mapOfLists: { schema: mapOf(listOf(INT64)), values: mapped(listed(int64)) },
  mapOfObjects: { schema: mapOf(mapOf(TEXT)), values: mapped(mapped(text)) },
};

const pathOf = ({ location, style, explode }: Writing, kind: string): string =>
  `/${location}-${style}-${String(explode)}-${kind}${location === 'path' ? '/{value}' : ''}`;

function parameterOf({ location, style, explode }: Writing, schema: object): object {
  const required = location === 'path';
  const written = style === 'json' ? { content: { 'application/json': { schema } } } : { style, explode, schema };
  return { name: 'value', in: location, required, ...written };
}

let served: ServedContract;
beforeAll(async () => {
  const responses = { 204: { description: 'Seen.' } };
  const paths = writings.flatMap((writing) =>
    Object.entries(KINDS).map(([kind, { schema }]): [string, object] => [
      pathOf(writing, kind),
      { get: { parameters: [parameterOf(writing, schema)], responses } },
    ]),
  );
  served = await serveForClient(Object.fromEntries(paths));
});
afterAll(() => served.close());

/** The texts in a value that its style writes as they are, and the names of its properties. */
function partsOf(value: unknown): { texts: string[]; keys: string[] } {
  if (typeof value !== 'object' || value === null) return { texts: [written(value)], keys: [] };
  if (Array.isArray(value)) return { texts: value.map(written), keys: [] };
  return { texts: Object.values(value).flat().map(written), keys: Object.keys(value) };
}

function written(part: unknown): string {
  const bigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
  return typeof part === 'string' ? part : JSON.stringify(part, bigints);
}

function isEmptyInside(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Whether docs/contracts.md says that the client refuses a value. */
function isRefused({ location, style, explode }: Writing, value: unknown): boolean {
  const { texts, keys } = partsOf(value);
  const parts = [...texts, ...keys];
  if (location === 'path' && (value === '' || parts.some((part) => /^(?:\.|\.\.|)$/.test(part)))) return true;
  if (style === 'json') return false;
  if (location === 'header') {
    if (Array.isArray(value) && value.length === 0) return false;
    if (parts.some((part) => !/^[\x20-\x7e\x80-\xff]*$/.test(part) || /^ | $/.test(part))) return true;
    if (typeof value === 'object' && parts.some((part) => part === '' || part.includes(','))) return true;
    if (explode && keys.some((name) => name.includes('='))) return true;
  }
  if (location === 'cookie' && explode && keys.some((name) => !/^[!-~]+$/.test(name) || /[,;=&"]/.test(name)))
    return true;
  if (style === 'deepObject') return hasEmptyPart(value) || keysInside(value).some((name) => /^$|[[\]]/.test(name));
  if (!explode && style === 'spaceDelimited' && parts.some((part) => part.includes(' '))) return true;
  if (!explode && style === 'pipeDelimited' && parts.some((part) => part.includes('|'))) return true;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject && Object.values(value).some((part) => Array.isArray(part) && part.length === 0)) return true;
  return value === null || isEmptyInside(value);
}

function hasEmptyPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null;
  return Object.keys(value).length === 0 || Object.values(value).some(hasEmptyPart);
}

function keysInside(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysInside)];
}

test('any value of a parameter arrives as it was given, or is refused as the documentation says', async () => {
  const call = fc
    .tuple(fc.constantFrom(...writings), fc.constantFrom(...Object.keys(KINDS)))
    .chain(([writing, kind]) =>
      fc.tuple(fc.constant(writing), fc.constant(kind), KINDS[kind]?.values ?? fc.constant('')),
    );
  await fc.assert(
    fc.asyncProperty(call, async ([writing, kind, value]) => {
      const { location } = writing;
      const outcome = await served
        .client()
        .GET(pathOf(writing, kind), { params: { [location]: { value } } })
        .then(
          () => Reflect.get(Object(served.request[GROUPS[location]]), 'value') as unknown,
          (error: unknown) => error,
        );
      if (outcome instanceof TypeError && isRefused(writing, value)) return;
      expect(outcome).toEqual(value);
    }),
    { numRuns: 500 },
  );
});

import { expect, test } from '@jest/globals';
import { placesOf } from '../../src/schema/contract-places.ts';
import { clientPlaces } from '../../src/client/client-places.ts';
import { encodedArgument } from '../../src/client/encoded-argument.ts';
import { requestTarget } from '../../src/client/parameters.ts';
import { GivenParameter } from '../../src/client/given-parameter.ts';
import { isPlain, plainText } from '../../src/client/plain-parameter.ts';
import { styledText } from '../../src/client/styled-parameter.ts';
import type { Schema } from '../../src/schema/openapi-document.ts';

const INT64: Schema = { type: 'integer', format: 'int64' };
const NO_BIGINT = expect.objectContaining({
  name: 'TypeError',
  message: expect.stringMatching(/^body\S* must be a bigint such as 12n, not an? /),
});
const NO_INT64 = expect.objectContaining({ name: 'RangeError' });

function refusalOf(use: () => unknown): unknown {
  try {
    use();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The error for a parameter of a path, which the contract says nothing about but its name. */
function refusalOfPath(file: unknown): unknown {
  const operation = { parameters: { path: { file: {} } }, body: {}, responses: {} };
  return refusalOf(() => requestTarget(operation, '/files/{file}', { path: { file } }, styledText));
}

/** The error for a body that has a schema, as generated code makes it. */
function refusalOfBody(schema: Schema, body: unknown): unknown {
  const places = placesOf({ document: { openapi: '3.1.0', info: {}, paths: {} } });
  const shape = places.shapeOfSchema(schema);
  return refusalOf(() => {
    encodedArgument(body, shape, clientPlaces({ operations: {}, schemas: places.referred }, {}), 'body');
  });
}

const REMOVED = /: params\.path\.file must not make '\.{1,2}': in a URL it stands for another path\.$/;
test.each([
  ['that URL parsers remove is refused, whatever its type', REMOVED, ['.', '..', ['.'], ['..']]],
  ['that is empty is missing', /params\.path\.file is missing\./, [undefined, null, '', ['']]],
  ['without a part has no text', /params\.path\.file must have no empty list or object: /, [[], {}, { a: [] }]],
  [
    'of another kind is accepted',
    /^undefined$/,
    ['...', '.well-known', '%2e', 'a/../b', 0, false, 12n, ['.', '.'], { name: '..' }],
  ],
])('a path parameter %s', (_what, expected, files) => {
  for (const file of files) expect(String(refusalOfPath(file))).toMatch(expected);
});

test.each([
  ['a property', { type: 'object', properties: { id: INT64 } }, (id: unknown) => ({ id })],
  ['an item', { type: 'array', items: INT64 }, (id: unknown) => [1n, id]],
  ['all of several', { allOf: [INT64, { description: 'its id' }] }, (id: unknown) => id],
  [
    'a choice between int64s',
    { oneOf: [{ ...INT64, minimum: 0 }, { ...INT64, maximum: -9 }, { type: 'null' }] },
    (id: unknown) => id,
  ],
])('an int64 that is %s must be a bigint, and may be null or left out', (_name, schema, bodyOf) => {
  const refusal = (id: unknown): unknown => refusalOfBody(schema, bodyOf(id));
  for (const id of [1, 1.5, NaN, Infinity, '1', true, [], [5n], { a: 1n }, Object(5n)]) {
    expect(refusal(id)).toEqual(NO_BIGINT);
  }
  for (const id of [2n ** 63n, -(2n ** 63n) - 1n]) expect(refusal(id)).toEqual(NO_INT64);
  for (const id of [2n ** 63n - 1n, -(2n ** 63n), 0n, null]) expect(refusal(id)).toBeUndefined();
  // In a list, JSON makes undefined null.
  if (!Array.isArray(bodyOf(undefined))) expect(refusal(undefined)).toBeUndefined();
});

test.each([
  [{ size: NaN }, /^body\.size .*NaN/],
  [[1, { a: -Infinity }], /^body\[1\]\.a .*-Infinity/],
  [{ list: [1, undefined] }, /^body\.list\[1\] .*undefined/],
  // oxlint-disable-next-line no-sparse-arrays
  [[1, , 2], /^body\[1\] .*undefined/],
  [{ a: () => 1 }, /^body\.a .*function/],
])('what JSON would turn into null, or leave out, is refused with its place: %j', (body, message) => {
  expect(refusalOfBody({}, body)).toMatchObject({ name: 'TypeError', message: expect.stringMatching(message) });
});

test('where an int64 is one of several types, all their values are accepted but numbers that are rounded', () => {
  const schema: Schema = { anyOf: [INT64, { type: 'string' }, { type: 'object', properties: { id: INT64 } }] };
  for (const body of [12n, 12, 'twelve', { id: 12n }, null]) expect(refusalOfBody(schema, body)).toBeUndefined();
  for (const body of [2 ** 53, { id: 2 ** 53 }]) expect(refusalOfBody(schema, body)).toEqual(NO_BIGINT);
});

test('a property that an alternative may describe is accepted beside unevaluatedProperties of int64s', () => {
  const [a, b] = ['a', 'b'].map((name) => ({ properties: { [name]: { type: 'number' } }, required: [name] }));
  const schema: Schema = { anyOf: [a, b], unevaluatedProperties: INT64 };
  for (const body of [{ a: 1.5 }, { a: 1.5, c: 3n }]) expect(refusalOfBody(schema, body)).toBeUndefined();
  expect(refusalOfBody(schema, { a: 1.5, c: 2 ** 53 })).toEqual(NO_BIGINT);
  expect(refusalOfBody({ unevaluatedProperties: INT64 }, { c: 1.5 })).toEqual(NO_BIGINT);
});

test('shapes that refer to themselves in a circle are followed to their end', () => {
  const schemas = {
    Base: { anyOf: [{ $ref: 'Heir' }], properties: { id: { numbers: 'int64' } } },
    Heir: { $ref: 'Base' },
  } as const;
  const refusal = (id: unknown): unknown =>
    refusalOf(() => {
      encodedArgument({ id }, { $ref: 'Heir' }, clientPlaces({ operations: {}, schemas }, {}), 'body');
    });
  expect(refusal(1)).toEqual(NO_BIGINT);
  expect(refusal(1n)).toBeUndefined();
});

test.each(['path', 'query', 'header'])(
  'the plain text of a parameter in the %s is that of its default style',
  (location) => {
    const values = [
      'a b',
      'ä',
      '\ud800',
      ' a',
      '',
      'a,b',
      7,
      -0,
      true,
      12n,
      null,
      [],
      ['a b', 1n],
      [null],
      [['a', 1]],
      {},
      { a: 1 },
    ];
    const parameters = values.map(
      (value) => new GivenParameter({ location, name: 'na me', value, style: undefined, otherNames: [] }),
    );
    const plain = parameters.filter(isPlain);
    const textBy = (write: typeof styledText) => (parameter: GivenParameter) => {
      try {
        return write(parameter);
      } catch (error) {
        return String(error);
      }
    };
    expect(plain.length).toBeGreaterThanOrEqual(11);
    expect(plain.map(textBy(plainText))).toEqual(plain.map(textBy(styledText)));
  },
);

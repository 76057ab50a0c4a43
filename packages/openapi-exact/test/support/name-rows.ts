import { INT64, json, ref, type Row } from './schema-rows.ts';

/** More constants than the validator compares one by one. */
const LONG = Array.from({ length: 200 }, (_, index) => index);

/** Properties with names that every object has. */
export const NAME_ROWS: readonly Row[] = [
  {
    name: 'optional properties with names that every object has',
    schema: {
      type: 'object',
      additionalProperties: false,
      dependentRequired: { constructor: ['a'] },
      properties: { constructor: INT64, toString: { properties: { valueOf: INT64 } }, a: {} },
    },
    valid: [
      {},
      { toString: {} },
      { constructor: 9007199254740993n, a: 1 },
      { toString: { valueOf: 9007199254740993n } },
    ],
    invalid: [{ constructor: 1 }, { toString: { valueOf: 'a' } }, { valueOf: 1 }],
  },
  {
    name: 'the empty name, required',
    schema: { type: 'object', required: [''], properties: { '': INT64 } },
    valid: [{ '': 1n }, { '': 1n, '\0': 'a' }],
    invalid: [{}, { a: 1 }, { '': 'a' }, { '\0': 1n }],
  },
  {
    name: 'the empty name, required beside others and by others',
    schema: {
      required: ['a', ''],
      dependentRequired: { '': ['b'], c: [''] },
      dependentSchemas: { '': { properties: { a: { type: 'string' } } } },
    },
    valid: [{ a: 'a', '': 1, b: 2 }, []],
    invalid: [
      { a: 'a', b: 1 },
      { '': 1, b: 2 },
      { a: 'a', '': 1 },
      { a: 1, '': 1, b: 2 },
    ],
  },
  {
    name: 'names of one dependent on the empty name',
    schema: { dependentRequired: { '': ['b'], c: [''] } },
    valid: [{}, { '': 1, b: 2 }, { c: 1, '': 2, b: 3 }],
    invalid: [{ '': 1 }, { c: 1 }, { c: 1, '': 1 }],
  },
  {
    name: 'the empty name, by patterns and lengths',
    schema: {
      patternProperties: { '^$': { type: 'string' }, '.': INT64 },
      propertyNames: { maxLength: 1 },
      additionalProperties: false,
    },
    valid: [{ '': 'a', b: 1n }],
    invalid: [{ '': 1 }, { b: 'a' }, { bb: 1 }],
  },
  {
    name: 'the empty name, in an object with no others',
    schema: { properties: { '': {} }, additionalProperties: false },
    valid: [{ '': 1 }, {}],
    invalid: [{ a: 1 }, { '\0': 1 }],
  },
  {
    name: 'names that every object has, by a pattern',
    schema: { type: 'object', patternProperties: { '^[a-z]+$': INT64 } },
    valid: [{ a: 1n, constructor: 9007199254740993n, valueOf: 'V' }],
    invalid: [{ a: 'a' }, { constructor: 'a' }],
  },
  {
    name: 'no names that every object has',
    schema: { propertyNames: { not: { enum: ['constructor', 'valueOf'] } } },
    valid: [{ a: 1, toString: 2 }],
    invalid: [{ constructor: 1 }, { valueOf: 1 }],
  },
  {
    name: 'names of a long enum',
    schema: { propertyNames: { enum: ['constructor', 'valueOf', ...LONG.map((index) => `n${index}`)] } },
    valid: [{}, { n0: 1, n199: 2, constructor: 3 }],
    invalid: [{ toString: 1 }, { n200: 1 }],
  },
  {
    name: 'names that every object has, by their length and pattern',
    schema: { propertyNames: { minLength: 2, maxLength: 11, pattern: '^[a-z]+$' } },
    valid: [{ aa: 1, constructor: 1 }],
    invalid: [{ a: 1 }, { valueOf: 1 }, { aaaaaaaaaaaa: 1 }, { 'constructor\u0000': 1 }, { 'a\u0000a': 1 }],
  },
  {
    name: 'required properties with names that every object has',
    schema: { type: 'object', required: ['toString'], dependentSchemas: { valueOf: { required: ['constructor'] } } },
    valid: [{ toString: 1 }, { toString: 1, valueOf: 2, constructor: 3 }],
    invalid: [{}, { valueOf: 1 }, { toString: 1, valueOf: 2 }],
  },
];

/** Schemas for which no property has such a name, but a message may. */
export const COMPARED_ROWS: readonly Row[] = [
  {
    name: 'objects that differ',
    schema: { type: 'array', uniqueItems: true },
    valid: [[{ toString: 'a' }, { valueOf: 1 }, { valueOf: 2 }]],
    invalid: [
      [{ valueOf: 1 }, { valueOf: 1 }],
      [{ constructor: { a: 1 } }, { constructor: { a: 1 } }],
    ],
  },
  {
    name: 'a tree of alternatives',
    schema: ref('Tree'),
    valid: [{ child: { child: { kind: 'b' }, kind: 'b' }, kind: 'a' }],
    invalid: [{ child: { child: {}, kind: 'b' }, kind: 'a' }],
  },
  {
    name: 'a list of many that differ',
    schema: { type: 'array', uniqueItems: true, maxItems: 2000 },
    valid: [[{ a: 1, b: [{}] }, { a: 1, b: [] }, { a: 1 }, 1, '1', [], [[]], { '#repeated': true }, null, {}]],
    invalid: [
      json('[{"a":1,"b":[{}]},{},{"b":[{}],"a":1.0}]'),
      [1, 1],
      json('[1,[2],{},[2.0]]'),
      ['a', {}, 'a'],
      [null, null],
    ],
  },
  {
    name: 'lists in lists that differ',
    schema: { items: { uniqueItems: true }, not: { uniqueItems: true } },
    valid: [
      [[{}], [{}]],
      [{}, {}],
      [1, 1, []],
    ],
    invalid: [
      [[{}], [{ a: 1 }]],
      [
        [{}, {}],
        [{}, {}],
      ],
      [{}],
    ],
  },
  {
    name: 'items that differ, judged by none',
    schema: { uniqueItems: true, unevaluatedItems: { type: 'object' } },
    valid: [[{}, { a: 1 }]],
    invalid: [
      [1, {}],
      [{}, {}],
    ],
  },
  { name: 'an object of an enum', schema: { enum: [{ a: 1 }, {}] }, valid: [{ a: 1 }, {}], invalid: [{ valueOf: 2 }] },
  {
    name: 'no other properties than those of a choice',
    schema: { anyOf: [{ properties: { a: {} }, required: ['a'] }, { required: ['b'] }], unevaluatedProperties: false },
    valid: [{ a: 1 }],
    invalid: [{ a: 1, constructor: 1 }],
  },
];

import { afterAll, describe, expect, test } from '@jest/globals';
import type { Answer } from './support/contract-server.ts';
import { bodiesOf, INT64, json, ref, serveRows, type Row, type SchemaServer } from './support/schema-rows.ts';

const MAX = 9223372036854775807n;
const BIG = 9007199254740993n;

/** More constants than the validator compares one by one. */
const LONG = Array.from({ length: 200 }, (_, index) => index);

/** Schemas that refer to each other. */
const COMPONENTS = {
  Node: { type: 'object', required: ['id'], properties: { id: INT64, next: ref('Node') } },
  Circle: { type: 'object', required: ['kind', 'size'], properties: { kind: { type: 'string' }, size: INT64 } },
  Square: {
    type: 'object',
    required: ['kind', 'size'],
    properties: { kind: { type: 'string' }, size: { type: 'number' } },
  },
  Pet: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  },
  Cat: { allOf: [ref('Pet'), { type: 'object', required: ['lives'], properties: { lives: INT64 } }] },
  Id: INT64,
  Anything: true,
  Nothing: false,
  Key: { ...INT64, readOnly: true },
  Secret: { type: 'string', writeOnly: true },
  Keyed: { required: ['id', 'name'], properties: { id: ref('Key'), name: { type: 'string' } }, type: 'object' },
  Named: { type: 'object', required: ['id', 'name'], properties: { name: { type: 'string' } } },
  Either: {
    oneOf: [
      { type: 'object', required: ['t', 'id'], properties: { t: { const: 'a' }, id: INT64 } },
      { type: 'object', required: ['t', 'id'], properties: { t: { const: 'b' }, id: { type: 'number' } } },
    ],
  },
  Vehicle: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    oneOf: [ref('Car'), ref('Bike')],
    discriminator: { propertyName: 'kind', mapping: { car: '#/components/schemas/Car' } },
  },
  Car: { allOf: [ref('Vehicle'), { properties: { seats: INT64 } }] },
  Bike: { allOf: [ref('Vehicle'), { properties: { bell: { type: 'boolean' } } }] },
  Preset: { type: 'object', properties: { open: { type: 'boolean', default: true }, next: ref('Preset') } },
  Ended: { type: ['object', 'null'], properties: { next: { allOf: [ref('Ended')], default: null } } },
  Loop: { allOf: [ref('Loop'), { required: ['id'], properties: { id: INT64 } }] },
  Owned: { required: ['owned', 'weight'], properties: { owned: { type: 'boolean' }, weight: INT64 } },
  Leased: { required: ['owned'], properties: { owned: { type: 'boolean' }, level: { type: 'integer' } } },
  Tree: {
    oneOf: [
      { type: 'object', properties: { child: ref('Tree'), kind: { const: 'a' } }, required: ['kind'] },
      { type: 'object', properties: { child: ref('Tree'), kind: { const: 'b' } }, required: ['kind'] },
    ],
  },
  Odd: { properties: { 'a/b~c%': { $defs: { x: { type: 'string', maxLength: 2 } }, type: 'integer' } } },
};

// test/contract/oracle.test.ts has int64s in choices and lists, with any value.
const numbers: Row[] = [
  {
    name: 'int64',
    schema: INT64,
    valid: [
      1n,
      json('1.0', 1n),
      json('1e3', 1000n),
      json('-0', 0n),
      9223372036854775807n,
      9007199254740993n,
      -9223372036854775808n,
      json('9007199254740993.0', 9007199254740993n),
      json('9223372036854775807e0', 9223372036854775807n),
    ],
    invalid: [
      1.5,
      9223372036854775808n,
      -9223372036854775809n,
      json('1e400'),
      '1',
      null,
      true,
      json('1e-400'),
      [1],
      json('9007199254740993.5'),
    ],
  },
  {
    name: 'int64s that share a YAML anchor',
    schema:
      '{ properties: { a: &shared { type: integer, format: int64 }, b: { <<: *shared, minimum: 2 }, c: *shared } }',
    valid: [{ a: 9007199254740993n, b: 2n, c: 9007199254740993n }],
    invalid: [{ a: 1.5 }, { b: 1 }, { b: 2.5 }, { c: 1.5 }],
  },
  {
    name: 'int64 without a type',
    schema: { format: 'int64' },
    valid: [1n, json('1e18', 1000000000000000000n), 'a'],
    invalid: [1.5, 9223372036854775808n, json('1e400'), json('1e-400')],
  },
  {
    name: 'int64 or anything',
    schema: { anyOf: [INT64, true] },
    valid: [1n, 1.5, 'a'],
    invalid: [json('1e400'), json('9007199254740993.5e400')],
  },
  {
    name: 'int64 or null',
    schema: { type: ['integer', 'null'], format: 'int64' },
    valid: [null, 9007199254740993n],
    invalid: [1.5, '1'],
  },
  {
    name: 'int64 with bounds',
    schema: { ...INT64, minimum: -5, exclusiveMaximum: 10 },
    valid: [-5n, 9n],
    invalid: [-6, 10, 9007199254740993n],
  },
  {
    name: 'a bound that is excluded as in 3.0',
    schema: { ...INT64, maximum: 9, exclusiveMaximum: true },
    valid: [8n],
    invalid: [9],
  },
  {
    name: 'int64 of an enum',
    schema: { ...INT64, enum: [1, 2] },
    valid: [1n, json('2.0', 2n)],
    invalid: [3, 9007199254740993n],
  },
  {
    name: 'a constant int64',
    schema: { allOf: [INT64, { const: 7 }] },
    valid: [7n, json('7.0', 7n)],
    invalid: [8, 7.5],
  },
  {
    name: 'int64 or a short text',
    schema: {
      oneOf: [
        { ...INT64, maximum: 10 },
        { type: 'string', maxLength: 1 },
      ],
    },
    valid: [10n, 'a'],
    invalid: [11, 'ab', 9007199254740993n],
  },
  {
    name: 'int64 or int32',
    schema: {
      anyOf: [
        { type: 'integer', format: 'int32' },
        { ...INT64, minimum: 100 },
      ],
    },
    valid: [5n, 100n, 9007199254740993n],
    invalid: [1.5, -2147483649],
  },
  {
    name: 'a fraction or int64',
    schema: {
      oneOf: [
        { type: 'number', exclusiveMaximum: 1 },
        { ...INT64, minimum: 1 },
      ],
    },
    valid: [0.5, 1n, 0n],
    invalid: [1.5],
  },
  { name: 'no int64', schema: { not: INT64 }, valid: [1.5, 'a'], invalid: [1, 9223372036854775807n] },
  {
    name: 'even int64s',
    schema: { ...INT64, multipleOf: 2 },
    valid: [9007199254740994n],
    invalid: [9007199254740993n, 3],
  },
  {
    name: 'int64s that differ',
    schema: { type: 'array', items: INT64, uniqueItems: true },
    valid: [[9007199254740993n, 9007199254740992n]],
    invalid: [[9007199254740993n, 9007199254740993n], json('[1,1.0]'), json('[9007199254740993,9007199254740993.0]')],
  },
  {
    name: 'references that differ',
    schema: { type: 'array', items: ref('Id'), uniqueItems: true },
    valid: [[9007199254740993n, 9007199254740992n]],
    invalid: [[9007199254740993n, 9007199254740993n], json('[1,1.0]'), ['a']],
  },
  {
    name: 'a list that may contain anything beside an int64',
    schema: { type: 'array', contains: { ...INT64, minimum: 100 } },
    valid: [[1n, 9007199254740993n, 'a', 1.5]],
    invalid: [[1, 2], ['9007199254740993'], [99, -9007199254740993n]],
  },
  {
    name: 'int64s named like keywords',
    schema: { type: 'object', properties: { default: INT64, enum: { type: 'object', properties: { const: INT64 } } } },
    valid: [{ default: 9007199254740993n, enum: { const: 1n } }],
    invalid: [{ default: 1.5 }],
  },
  {
    name: 'int64s by any name',
    schema: { unevaluatedProperties: INT64 },
    valid: [{ a: 9007199254740993n }],
    invalid: [{ a: 1.5 }],
  },
  {
    name: 'int64s by any name, where another part names one',
    schema: { allOf: [{ properties: { a: { type: 'number' } } }, { unevaluatedProperties: INT64 }] },
    valid: [{ a: 9007199254740993n }, { a: 5n, b: 1n }],
    invalid: [{ a: 1.5 }],
  },
  {
    name: 'int64s behind all items of another part',
    schema: { allOf: [{ prefixItems: [{ type: 'number' }], maxItems: 1 }], unevaluatedItems: INT64, maxItems: 2 },
    valid: [[1.5], [5]],
    invalid: [[9007199254740993n], ['a']],
  },
  {
    name: 'int64s by any other name',
    schema: { allOf: [{ properties: { a: { type: 'number' } } }], unevaluatedProperties: INT64 },
    valid: [{ a: 1.5, b: 9007199254740993n }, { a: 5 }],
    invalid: [{ a: 9007199254740993n }, { b: 1.5 }],
  },
  {
    name: 'int64s by any other name than a choice has',
    schema: { anyOf: [{ properties: { a: { type: 'number' } }, required: ['a'] }, {}], unevaluatedProperties: INT64 },
    valid: [{ a: 1.5, b: 9007199254740993n }, { b: 5n }],
    invalid: [{ b: 1.5 }],
  },
  {
    name: 'an int64 that goes with another property',
    schema: { properties: { a: INT64 }, dependentSchemas: { b: { properties: { a: { maximum: 5 } } } } },
    valid: [{ a: 6n }, { a: 5n, b: 1 }],
    invalid: [{ a: 6, b: 1 }],
  },
  {
    name: 'an int64 under a condition',
    schema: {
      type: 'object',
      if: { properties: { k: { const: 'i' } }, required: ['k'] },
      then: { properties: { v: INT64 } },
      else: { properties: { v: { type: 'number' } } },
    },
    valid: [{ k: 'i', v: 9007199254740993n }, { k: 'n', v: 1n }, { v: 1.5 }, { k: 'n', v: 9007199254740993n }],
    invalid: [
      { k: 'i', v: 1.5 },
      { k: 'n', v: 'a' },
    ],
  },
  {
    name: 'an int64 that another property brings',
    schema: { type: 'object', dependentSchemas: { a: { properties: { b: INT64 } } } },
    valid: [{ a: 1, b: 9007199254740993n }, { b: 1.5 }, { b: 9007199254740993n }],
    invalid: [{ a: 1, b: 1.5 }],
  },
  {
    name: 'no other properties than those of a condition that holds',
    schema: {
      type: 'object',
      if: { properties: { k: { const: 'a' } }, required: ['k'] },
      else: { properties: { e: INT64 } },
      unevaluatedProperties: false,
    },
    valid: [{ k: 'a' }, { e: 9007199254740993n }],
    invalid: [{ k: 'b' }, { k: 'b', e: 1 }, { k: 'a', e: 1 }],
  },
  {
    name: 'no other properties than those of a pattern in a condition that holds',
    schema: {
      type: 'object',
      if: { patternProperties: { '^k': { const: 'a' } } },
      then: { properties: { e: INT64 } },
      unevaluatedProperties: false,
    },
    valid: [{ k: 'a' }, { k: 'a', e: 9007199254740993n }, {}],
    invalid: [{ k: 'b' }, { k: 'b', e: 1 }, { k: 'a', f: 1 }],
  },
  {
    name: 'a choice that operations share',
    schema: ref('Either'),
    valid: [
      { t: 'a', id: 9007199254740993n },
      { t: 'b', id: 1.5 },
      { t: 'b', id: 9007199254740993n },
    ],
    invalid: [
      { t: 'a', id: 1.5 },
      { t: 'b', id: 'a' },
    ],
  },
  {
    name: 'a list of a choice that operations share',
    schema: { type: 'array', items: ref('Either') },
    valid: [
      [
        { t: 'a', id: 9007199254740993n },
        { t: 'b', id: 1n },
      ],
    ],
    invalid: [[{ t: 'a', id: 1.5 }]],
  },
  {
    name: 'a number of the format int64',
    schema: { type: 'number', format: 'int64' },
    valid: [9007199254740993n, 5n],
    invalid: [1.5, 9223372036854775808n],
  },
  {
    name: 'an int64 in two parts',
    schema: { allOf: [{ type: 'integer' }, { format: 'int64' }] },
    valid: [9007199254740993n, 5n],
    invalid: [1.5, 9223372036854775808n],
  },
  { name: 'int32', schema: { type: 'integer', format: 'int32' }, valid: [2147483647], invalid: [2147483648, 1.5] },
  {
    name: 'float',
    schema: { type: 'number', format: 'float' },
    valid: [1.5, json('3.4e38', 3.4e38)],
    invalid: [json('3.5e38')],
  },
  {
    name: 'cents',
    schema: { type: 'number', multipleOf: 0.01 },
    valid: [19.99, 0.07, 4.35, json('1e20', 1e20)],
    invalid: [19.995, 0.001],
  },
  {
    name: 'an integer without format',
    schema: { type: 'integer' },
    valid: [9007199254740991, json('1e3', 1000)],
    invalid: [9007199254740992n, 9007199254740994n, json('1e20'), 9223372036854775807n, 1.5, 36028797018963968n],
  },
  {
    name: 'a uint64',
    schema: { type: 'integer', format: 'uint64' },
    valid: [18446744073709551615n, 5n],
    invalid: [-1, 18446744073709551616n, 1.5],
  },
  {
    name: 'an integer whose bounds are beyond 2^53',
    schema: { type: 'integer', minimum: 0, maximum: 18446744073709551615n },
    valid: [18014398509481983n, 5n],
    invalid: [-1, 18446744073709551616n, 1.5],
  },
  {
    name: 'a negative integer whose bound is beyond 2^53',
    schema: { type: 'integer', exclusiveMinimum: -9223372036854775809n },
    valid: [-9007199254740993n, 1n],
    invalid: [-9223372036854775809n],
  },
  {
    name: 'an integer of an enum beyond 2^53',
    schema: { type: 'integer', enum: [1, 9007199254740993n] },
    valid: [1n, 9007199254740993n],
    invalid: [9007199254740992n, 2],
  },
  {
    name: 'a number of an enum beyond 2^53',
    schema: { type: 'number', enum: [1, 1e21] },
    valid: [1, json('1e21', 1e21), json('1000000000000000000000', 1e21)],
    invalid: [json('1e20')],
  },
  {
    name: 'a constant beyond 2^53',
    schema: { const: 2e20 },
    valid: [json('2e20', 200000000000000000000n), 200000000000000000000n],
    invalid: [json('1e20'), 200000000000000000001n],
  },
  {
    name: 'constants without type, of which one is beyond 2^53',
    schema: { enum: [9007199254740993n, 1, null, 'a'] },
    valid: [9007199254740993n, 1n, null, 'a'],
    invalid: [9007199254740992n, 2, '1', json('9007199254740993.5')],
  },
  {
    name: 'constants without type beside a type',
    schema: { allOf: [{ type: 'integer' }, { const: 9007199254740993n }] },
    valid: [9007199254740993n],
    invalid: [9007199254740992n, 1],
  },
  {
    name: 'constants without type, of which one is a fraction',
    schema: { enum: [1.5, 2e20] },
    valid: [1.5, json('2e20', 2e20)],
    invalid: [2, 200000000000000000001n],
  },
  {
    name: 'a long enum',
    schema: { enum: [...LONG, ...LONG.map((index) => `t${index}`), null, 9007199254740993n] },
    valid: [0n, 199n, 't0', 't199', null, 9007199254740993n],
    invalid: [200, '0', 't200', '', false, {}, [], 9007199254740992n, 9007199254740994n],
  },
  {
    name: 'a long enum with a fraction',
    schema: { enum: [...LONG, 0.1] },
    valid: [0, 0.1, json('0.10', 0.1), json('2e0', 2)],
    invalid: [0.2, json('0.10000000000000000001'), 9007199254740993n],
  },
  {
    name: 'a long enum of a type',
    schema: { type: ['integer', 'null'], enum: [...LONG, 'a', 1.5] },
    valid: [0, 199],
    invalid: [null, 'a', 1.5, 200],
  },
  {
    name: 'a long enum without some values',
    schema: { not: { enum: [...LONG, null, 'a'] } },
    valid: [200, 'b', true, {}],
    invalid: [0, null, 'a'],
  },
  {
    name: 'a number',
    schema: { type: 'number' },
    valid: [
      json('0.1000000000000000055', 0.1),
      json('1e300', 1e300),
      json('1.5e300', 1.5e300),
      json('2251799813685249.5', 2251799813685249.5),
    ],
    invalid: [
      9007199254740993n,
      json('1e400'),
      json('1e-400'),
      json('9007199254740993.5'),
      json('9007199254740991.5'),
      json('-9007199254740992.000000000000001'),
      json('1234567890123456789012.5e3'),
    ],
  },
  {
    name: 'anything',
    schema: {},
    valid: [1.5, { a: [1] }],
    invalid: [9007199254740993n, [{ a: 9223372036854775807n }]],
  },
  {
    name: 'anything, as a boolean',
    schema: true,
    valid: [1.5, { a: [1] }],
    invalid: [9007199254740993n, [{ a: 9223372036854775807n }]],
  },
];

const others: Row[] = [
  ...[
    {
      name: 'a recursive schema',
      schema: ref('Node'),
      valid: [{ id: 1n, next: { id: 9007199254740993n } }],
      invalid: [
        { id: 1, next: { id: 1.5 } },
        { id: 1, next: {} },
      ],
    },
    {
      name: 'a discriminator with a mapping',
      schema: {
        oneOf: [ref('Circle'), ref('Square')],
        discriminator: { propertyName: 'kind', mapping: { round: '#/components/schemas/Circle', edgy: 'Square' } },
      },
      valid: [
        { kind: 'round', size: 9007199254740993n },
        { kind: 'edgy', size: 1n },
        { kind: 'edgy', size: 1.5 },
      ],
      invalid: [{ kind: 'Circle', size: 1 }, { kind: 'round', size: 1.5 }, { size: 1 }, { kind: 7, size: 1 }, []],
    },
    {
      name: 'a discriminator without mapping, in a list',
      schema: { items: { anyOf: [ref('Circle'), ref('Square')], discriminator: { propertyName: 'kind' } } },
      valid: [[{ kind: 'Circle', size: 1n }], [{ kind: 'Square', size: 2n }]],
      invalid: [[{ kind: 'Oval', size: 1 }]],
    },
    {
      name: 'a property with a choice beside a reference',
      schema: {
        $ref: '#/components/schemas/Node',
        properties: {
          x: {
            $ref: '#/components/schemas/Node',
            oneOf: [ref('Circle'), ref('Square')],
            discriminator: { propertyName: 'kind' },
          },
        },
      },
      valid: [{ id: 1n, x: { id: 2n, kind: 'Circle', size: 3n } }],
      invalid: [
        { id: 1, x: { kind: 'Circle', size: 3 } },
        { id: 1, x: { id: 2, kind: 'Circle' } },
        { id: 1, x: { id: 2 } },
      ],
    },
    {
      name: 'a discriminator that is a boolean',
      schema: {
        oneOf: [ref('Owned'), ref('Leased')],
        discriminator: { propertyName: 'owned', mapping: { true: 'Owned', false: 'Leased' } },
      },
      valid: [{ owned: true, weight: 9007199254740993n }, { owned: false }, { owned: false, weight: 1.5 }],
      invalid: [{ owned: true }, { owned: 'true', weight: 1 }, { owned: 'false' }, { owned: null }, { weight: 1 }],
    },
    {
      name: 'a discriminator that is a number',
      schema: {
        anyOf: [ref('Leased')],
        discriminator: { propertyName: 'level', mapping: { '1': '#/components/schemas/Leased' } },
      },
      valid: [{ owned: true, level: 1 }, json('{"owned":true,"level":1.0}', { owned: true, level: 1 })],
      invalid: [{ level: 1 }, { owned: true, level: 2 }, { owned: true, level: '1' }],
    },
    {
      name: 'a base that is one of its heirs',
      schema: ref('Vehicle'),
      valid: [
        { kind: 'car', seats: 9007199254740993n },
        { kind: 'Bike', bell: true },
        { kind: 'Bike', seats: 1.5 },
      ],
      invalid: [{ kind: 'car', seats: 1.5 }, { kind: 'Bike', bell: 1 }, { kind: 'boat' }, { seats: 1 }],
    },
    {
      name: 'an heir in a list',
      schema: { items: ref('Car') },
      valid: [[{ kind: 'car', seats: 1n }]],
      invalid: [[{ kind: 'car', seats: 1.5 }], [{ seats: 1 }]],
    },
    {
      name: 'a schema that extends itself',
      schema: ref('Loop'),
      valid: [{ id: 9007199254740993n }],
      invalid: [{}, { id: 1.5 }],
    },
    { name: 'a discriminator for schemas that inherit', schema: ref('Pet'), valid: [{ kind: 'cat' }], invalid: [{}] },
    {
      name: 'a schema that inherits',
      schema: ref('Cat'),
      valid: [{ kind: 'cat', lives: 9n }],
      invalid: [{ kind: 'cat' }, { lives: 9 }, { kind: 'cat', lives: 1.5 }],
    },
    {
      name: 'components that are true and false',
      schema: { properties: { any: ref('Anything'), none: ref('Nothing') } },
      valid: [{}, { any: 1 }, { any: [null] }],
      invalid: [{ none: 1 }, { none: null }],
    },
    {
      name: 'a read-only property behind a reference',
      schema: ref('Keyed'),
      valid: [{ name: 'a' }],
      invalid: [{ name: 'a', id: 1 }, { name: 'a', id: null }, {}],
    },
    {
      name: 'a read-only property that another part requires',
      schema: { allOf: [ref('Named'), { properties: { id: { ...INT64, readOnly: true } } }] },
      valid: [{ name: 'a' }],
      invalid: [{ name: 'a', id: 1 }, {}],
    },
    {
      name: 'read-only properties by pattern, and any others',
      schema: {
        properties: { a: INT64 },
        patternProperties: { '^_': { type: 'string', readOnly: true } },
        additionalProperties: ref('Key'),
      },
      valid: [{ a: 1n }],
      invalid: [
        { a: 1, _a: 'b' },
        { a: 1, b: 1 },
      ],
    },
    {
      name: 'properties that are read-only unless they are declared',
      schema: { properties: { a: INT64 }, unevaluatedProperties: { readOnly: true } },
      valid: [{ a: 1n }],
      invalid: [{ a: 1, b: 1 }],
    },
    {
      name: 'a property that is read-only in one alternative',
      schema: {
        required: ['id', 'a'],
        properties: { a: INT64, id: { anyOf: [ref('Key'), { type: 'null' }] } },
        dependentRequired: { a: ['id'] },
      },
      valid: [{ a: 1n }, { a: 1n, id: null }],
      invalid: [{ a: 1, id: 2 }, { a: 1, id: 'x' }, { id: null }],
    },
    {
      name: 'a required property elsewhere',
      schema: ref('Named'),
      valid: [{ name: 'a', id: 1 }],
      invalid: [{ name: 'a' }],
    },
    {
      name: 'a read-only property beside a reference',
      schema: {
        type: 'object',
        required: ['x'],
        properties: { x: { $ref: '#/components/schemas/Node', readOnly: true } },
      },
      valid: [{}],
      invalid: [{ x: { id: 1 } }],
    },
    {
      name: 'a write-only property',
      schema: { type: 'object', required: ['s'], properties: { s: ref('Secret') } },
      valid: [{ s: 'a' }],
      invalid: [{}],
    },
    {
      name: 'keywords beside a reference',
      schema: { $ref: '#/components/schemas/Node', unevaluatedProperties: false, maxProperties: 1 },
      valid: [{ id: 1n }],
      invalid: [
        { id: 1, x: 1 },
        { id: 1, next: { id: 1 } },
      ],
    },
    {
      name: 'defaults',
      schema: {
        type: 'object',
        properties: { a: { ...INT64, default: 5 }, b: { type: 'object', default: { c: [1] } } },
      },
      valid: [json('{}', { a: 5n, b: { c: [1] } }), json('{"a":6}', { a: 6n, b: { c: [1] } })],
      invalid: [[]],
    },
    {
      name: 'defaults inside of objects, lists and maps',
      schema: {
        type: 'object',
        properties: { list: { type: 'array', items: ref('Preset') } },
        additionalProperties: ref('Preset'),
      },
      valid: [
        json('{"list":[{},{"open":false,"next":{}}],"x":{"next":{"next":{}}}}', {
          list: [{ open: true }, { open: false, next: { open: true } }],
          x: { open: true, next: { open: true, next: { open: true } } },
        }),
      ],
      invalid: [{ list: [{ open: 1 }] }],
    },
    {
      name: 'a default in an object that contains itself',
      schema: ref('Ended'),
      valid: [json('{}', { next: null }), json('{"next":{}}', { next: { next: null } })],
      invalid: [{ next: 1 }],
    },
    {
      name: 'a default of another type, which is none',
      schema: {
        properties: {
          a: { type: 'string', default: null },
          b: { type: ['string', 'null'], default: null },
          c: { default: null },
          d: { type: 'integer', default: '1' },
          e: { ...INT64, default: 1.5 },
          f: { type: 'number', default: 2 },
          g: { ...INT64, default: 9007199254740993n },
          h: { type: ['array', 'object'], default: [1] },
        },
      },
      valid: [json('{}', { b: null, c: null, f: 2, g: 9007199254740993n, h: [1] })],
      invalid: [{ a: null }],
    },
    {
      name: 'the default of a read-only property',
      schema: {
        properties: { a: { type: 'integer', default: 5, readOnly: true }, b: { allOf: [ref('Key')], default: 6 } },
        allOf: [{ properties: { c: { default: 'x' } }, required: ['c'] }, { properties: { c: { readOnly: true } } }],
      },
      valid: [{}],
      invalid: [{ a: 5 }, { b: 6 }, { c: 'x' }],
    },
    {
      name: 'a pattern that needs no u flag',
      schema: { pattern: '^[\\w-.].?\\-$' },
      valid: ['-🌱-'],
      invalid: [' b-'],
    },
    {
      name: 'a pattern that is none with the u flag',
      schema: { pattern: '^.\\Z$' },
      valid: ['aZ'],
      invalid: ['a', '🌱Z'],
    },
    { name: 'a length in code points', schema: { maxLength: 1 }, valid: ['🌱'], invalid: ['ab'] },
    { name: 'a pattern with a flag', schema: { pattern: '(?i)^\\p{L}+$' }, valid: ['Ab', 'äÖ'], invalid: ['a1'] },
    {
      name: 'a pattern with a flag inside',
      schema: { pattern: '^([^\\s]+(\\.(?i)(jpeg|pdf))$)' },
      valid: ['a.PDF', 'a.jpeg', 'B.Jpeg'],
      invalid: ['a.pd', 'a.', 'pdf'],
    },
    { name: 'a pattern whose flag decides', schema: { pattern: '(?i)^[a-z]$' }, valid: ['A'], invalid: ['1'] },
    {
      name: 'keywords without values',
      schema: { type: 'string', maxLength: null, pattern: null, enum: null, required: null, $ref: null },
      valid: ['a'],
      invalid: [1],
    },
    {
      name: 'an empty enum',
      schema: { type: 'object', properties: { none: { enum: [] } } },
      valid: [{}],
      invalid: [{ none: 1 }],
    },
    {
      name: 'pattern properties',
      schema: { type: 'object', patternProperties: { '^i': INT64 }, additionalProperties: false },
      valid: [{ i1: 1n }],
      invalid: [{ x: 1 }, { i: 1.5 }],
    },
    {
      name: 'pattern properties beside a choice that fails',
      schema: { patternProperties: { '^i': INT64 }, anyOf: [{ properties: { i: { const: 2 } } }, {}] },
      valid: [{ i: 3n }],
      invalid: [{ i: 'a' }],
    },
    {
      name: 'a pattern of properties that needs no u flag',
      schema: { type: 'object', patternProperties: { '^[\\w-\\.]+\\_]{$': INT64 }, additionalProperties: false },
      valid: [{ 'a-._]{': 1n }],
      invalid: [{ a_b: 1 }, { 'a_]{': 1.5 }],
    },
    {
      name: 'a reference into a schema',
      schema: { $ref: '#/components/schemas/Odd/properties/a~1b~0c%25/$defs/x' },
      valid: ['ab'],
      invalid: ['abc', 1],
    },
    {
      name: 'a tuple beside a property that must not be',
      schema: {
        prefixItems: [{}],
        items: false,
        anyOf: [{ dependentSchemas: { a: { not: true, prefixItems: [{}], items: false } } }],
      },
      valid: ['a', [1], {}],
      invalid: [[1, 2], { a: 1 }],
    },
    { name: 'property names', schema: { propertyNames: { maxLength: 1 } }, valid: [{ a: 1 }], invalid: [{ ab: 1 }] },
    {
      name: 'a tuple',
      schema: { type: 'array', prefixItems: [INT64, { type: 'string' }], items: false, minItems: 2 },
      valid: [[9007199254740993n, 'a']],
      invalid: [[1], ['a', 1], [1, 'a', 1]],
    },
    {
      name: 'a tuple with any rest',
      schema: { type: 'array', prefixItems: [INT64, { type: 'string' }] },
      valid: [[], [9007199254740993n], [1n, 'a'], [1n, 'a', 1.5, null]],
      invalid: [['a'], [1, 2], [1, 2, 3]],
    },
    {
      name: 'a tuple with a rest of int64s',
      schema: { prefixItems: [{ type: 'string' }], items: INT64, minItems: 1 },
      valid: [['a'], ['a', 1n, 9007199254740993n], 'b'],
      invalid: [[], [1], ['a', 1.5]],
    },
    {
      name: 'a tuple that may be shorter',
      schema: { prefixItems: [INT64, { type: 'string' }], items: false },
      valid: [[9007199254740993n, 'a'], [9007199254740993n], [], 'a'],
      invalid: [['a'], [1, 1], [1, 'a', 1]],
    },
    {
      name: 'a tuple with a bounded rest',
      schema: {
        type: 'array',
        prefixItems: [{ type: 'string' }],
        items: INT64,
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
      },
      valid: [['a'], ['a', 9007199254740993n, 1n]],
      invalid: [[], [1], ['a', 'b'], ['a', 1, 1], ['a', 1, 2, 3]],
    },
  ],
  ...formats({
    date: {
      valid: ['2024-02-29', '0001-01-01'],
      invalid: ['2023-02-29', '2024-13-01', '2024-1-1', '2024-02-29T00:00:00Z'],
    },
    'date-time': {
      valid: [
        '2024-01-01T00:00:00Z',
        '2024-01-01t23:59:59.5+01:00',
        '2016-12-31T23:59:60Z',
        '2017-01-01T00:59:60+01:00',
      ],
      invalid: [
        '2024-01-01 00:00:00Z',
        '2024-01-01T00:00:00',
        '2024-01-01T00:00:00+0100',
        '2024-01-01T12:00:60Z',
        '2024-01-01T24:00:00Z',
      ],
    },
    time: { valid: ['12:00:00Z'], invalid: ['12:00:00', '12:60:00Z'] },
    duration: { valid: ['P1D', 'PT1H'], invalid: ['1D', 'P'] },
    byte: { valid: ['', 'YWJj', 'YQ=='], invalid: ['YQ', 'a b=', 'YWJj\n!!!!'] },
    uuid: {
      valid: ['123e4567-e89b-12d3-a456-426614174000'],
      invalid: ['urn:uuid:123e4567-e89b-12d3-a456-426614174000', '123e4567'],
    },
    uri: {
      valid: [
        ...['https://example.com/a?b#c', 'urn:a:b', 'a:', 'a:?b', 'a://', 'file:///a//b', "http://u:p@a:/%41'?/?#/?"],
        ...['http://[2001:db8::7]:80/', 'http://[v1.a:b]', 'mailto:a@b', `http://a/${'%41'.repeat(30_000)}`],
      ],
      invalid: [
        ...[
          '/a',
          'a b',
          '',
          ':a',
          '1a:b',
          'http://a:80x/',
          'http://a:b:c',
          'http://a@b@c',
          'http://[::1',
          'http://[1]',
        ],
        ...['http://a#b#c', 'http://a/%4', 'http://a/{b}', 'http://a/[b]', 'http://é', 'http://a/\n', 'http://a\\b'],
      ],
    },
    'uri-reference': {
      valid: ['/a', '#b', '', '?a:b', './a:b', '//a:80/b', '//', 'a/b:c', 'a:b'],
      invalid: ['a b', '1a:b', '//a:b', '#a#b', '%', '\\a'],
    },
    email: {
      valid: ['a@example.com', 'a@localhost', "a.b+c'@x.y", '"a@ b"@c.d', 'a@[127.0.0.1]', 'a@[IPv6:::1]'],
      invalid: ['a', '@b', 'a@', 'a.@b', '.a@b', 'a b@c', 'a@b.', 'a@-b', '"a"b"@c', 'a@[127.0.0]', 'a@[::1]'],
    },
    hostname: { valid: ['example.com', 'a', 'A.b', '1.2'], invalid: ['-a', 'a.', 'a-', 'a..b', 'a b', 'a,b'] },
    ipv4: { valid: ['127.0.0.1'], invalid: ['256.0.0.1'] },
    ipv6: { valid: ['::1'], invalid: ['1'] },
    regex: { valid: ['a+'], invalid: ['('] },
    'json-pointer': { valid: ['/a/b', ''], invalid: ['a'] },
    password: { valid: ['anything'], invalid: [] },
    unheardof: { valid: ['anything'], invalid: [] },
  }),
];

/** Properties with names that every object has. */
const inherited: Row[] = [
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
const compared: Row[] = [
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

/** Rows for formats of strings. */
function formats(all: Readonly<Record<string, Pick<Row, 'valid' | 'invalid'>>>): Row[] {
  return Object.entries(all).map(([format, { valid, invalid }]) => ({
    name: `the format ${format}`,
    schema: { type: 'string', format },
    valid,
    invalid: [...invalid, 1],
  }));
}

// Names that one schema uses are special in the whole contract.
const sets = [[...numbers, ...others], inherited, ...compared.map((row) => [row])];
const rows = sets.flat();
const servers = await Promise.all(sets.map((set) => serveRows(set, { components: COMPONENTS })));
afterAll(() => Promise.all(servers.map((server) => server.close())));

function serverOf(name: string): SchemaServer {
  const server = servers[sets.findIndex((set) => set.some((row) => row.name === name))];
  if (server === undefined) throw new Error(`There is no row ${name}.`);
  return server;
}
const post = (name: string, body: string): Promise<Answer> => serverOf(name).post(name, body);

test.each(rows)('a request body of $name is accepted or refused by what its schema says', async (row) => {
  await serverOf(row.name).expectJudged(row);
});

describe('a response', () => {
  /** Posts the first valid body, and is answered with what the handler returns. */
  function answerTo(name: string, body: unknown): Promise<Answer> {
    const [first] = rows.filter((row) => row.name === name).flatMap(bodiesOf);
    return serverOf(name).post(name, first?.sent ?? '', { status: 200, body });
  }

  test.each<[string, unknown, string]>([
    ['int64', MAX, String(MAX)],
    ['int64', 1, '1'],
    ['int64 or a short text', 10n, '10'],
    ['int64s that differ', [BIG, BIG - 1n], `[${BIG},${BIG - 1n}]`],
    ['a number', 1e300, '1e+300'],
    ['an integer without format', 9007199254740991, '9007199254740991'],
    ['a uint64', 2n ** 64n - 1n, '18446744073709551615'],
    ['a number of an enum beyond 2^53', 1e21, '1e+21'],
    ['a read-only property behind a reference', { id: BIG, name: 'a' }, `{"id":${BIG},"name":"a"}`],
    ['a write-only property', {}, '{}'],
    ['optional properties with names that every object has', {}, '{}'],
    ['int64 or null', null, 'null'],
  ])('of %s is sent exactly: %j', async (name, body, sent) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 200, text: sent });
  });

  test.each<[string, unknown]>([
    ['int64', MAX + 1n],
    ['int64', 2 ** 53],
    ['int64', 1.5],
    ['int64 or a short text', 11n],
    ['int64s that differ', [BIG, BIG]],
    ['an integer without format', 1.5],
    ['an integer without format', 2 ** 53],
    ['a uint64', 2 ** 60],
    ['a read-only property behind a reference', { name: 'a' }],
    ['a write-only property', { s: 'a' }],
    ['required properties with names that every object has', {}],
    ['cents', 19.995],
    ['a number', NaN],
    ['no int64', NaN],
    ['no int64', { ratios: [1, -Infinity] }],
  ])('of %s with a wrong value is a mistake of the handler: %p', async (name, body) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 500 });
  });
});

test.each<[string, number, (index: number) => unknown]>([
  ['references that differ', 9_000, (index) => index],
  ['objects that differ', 3_000, (index) => ({ a: index })],
])(
  'a long list of %s is compared in a moment',
  async (name, length, item) => {
    const items = Array.from({ length }, (_, index) => item(index));
    expect(await post(name, JSON.stringify(items))).toMatchObject({ status: 204 });
    expect(await post(name, JSON.stringify([item(0), ...items]))).toMatchObject({ status: 400 });
  },
  5000,
);

test('deep alternatives that a constant tells apart are judged in a moment', async () => {
  const deep = Array.from({ length: 24 }).reduce<object>((child) => ({ child, kind: 'b' }), { kind: 'a' });
  expect(await post('a tree of alternatives', JSON.stringify(deep))).toMatchObject({ status: 204 });
  const wrong = JSON.stringify(deep).replace('"a"', '"c"');
  expect(await post('a tree of alternatives', wrong)).toMatchObject({ status: 400 });
}, 8000);

test('requests with large integers do not disturb each other', async () => {
  const list = (from: bigint): string =>
    JSON.stringify(Array.from({ length: 50 }, (_, index) => String(from + BigInt(index)))).replaceAll('"', '');
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      post('int64s that differ', index % 2 === 0 ? list(BIG + BigInt(index)) : `[${BIG},${BIG}]`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 204 : 400)));
});

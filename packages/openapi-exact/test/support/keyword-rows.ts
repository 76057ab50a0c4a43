import { INT64, json, ref, type Row } from './schema-rows.ts';

export const KEYWORD_ROWS: readonly Row[] = [
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
      name: 'a discriminator of which two alternatives hold',
      schema: {
        oneOf: [ref('Meowing'), ref('Barking')],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Meowing', dog: 'Barking' } },
      },
      valid: [
        { kind: 'cat', meow: true },
        { kind: 'dog', bark: true },
        { kind: 'cat', meow: true, bark: 'loudly' },
      ],
      invalid: [
        { kind: 'cat', meow: true, bark: true },
        { kind: 'dog', meow: true, bark: true },
        { kind: 'tiger', meow: true },
        { kind: 'dog', meow: true },
        { meow: true },
      ],
    },
    {
      name: 'a discriminator of anyOf, of which two alternatives hold',
      schema: {
        anyOf: [ref('Meowing'), ref('Barking')],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Meowing', dog: 'Barking' } },
      },
      valid: [{ kind: 'cat', meow: true, bark: true }],
      invalid: [{ kind: 'tiger', meow: true }],
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
    duration: {
      valid: ['P1D', 'PT1H', 'P2W', 'P1Y2M3DT4H5M6S', 'P1M2D', 'PT1M2S', 'P1DT12H', `P${'9'.repeat(50)}D`],
      invalid: ['1D', 'P', 'PT', 'P1DT', 'P1Y2D', 'PT1H2S', 'P1Y2W', 'P1WT1H', 'P2D1Y', 'P1D2H', 'PT0.5S', 'P1D\n'],
    },
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
    hostname: {
      valid: ['example.com', 'a', 'A.b', '1.2', 'a--b', 'xn--9n2bp8q.xn--9t4b11yi5a', 'xn--ll-0ea', 'XN--wva3je'],
      invalid: [
        ...['-a', 'a.', 'a-', 'a..b', 'a b', 'a,b', 'xn--', 'xn--x', 'xn--a', 'b.xn--07jt112bpxg', 'xn--hello-txk'],
        ...['xn--l-fda', 'xn--wva3j', 'xn--5db1e', 'xn--vek', 'xn--ngb6iyr', 'xn--02b508i', 'XN--aa---o47jg78q'],
      ],
    },
    ipv4: { valid: ['127.0.0.1'], invalid: ['256.0.0.1'] },
    ipv6: { valid: ['::1'], invalid: ['1'] },
    regex: {
      valid: ['a+', '(?<y>\\d{4})-(?<m>\\d\\d)|\\k<y>', '(?<=a)'.repeat(200), namedGroups(50), '\\\\Z'],
      invalid: ['(', '[b-a]', '(?<a>)(?<a>)', '^a\\Z', namedGroups(5_000)],
    },
    'json-pointer': { valid: ['/a/b', ''], invalid: ['a'] },
    password: { valid: ['anything'], invalid: [] },
    unheardof: { valid: ['anything'], invalid: [] },
  }),
];

/** A regular expression that V8 compares in quadratic time. */
function namedGroups(count: number): string {
  return Array.from({ length: count }, (_, index) => `(?<a${index}>)`).join('');
}

/** Rows for formats of strings. */
function formats(all: Readonly<Record<string, Pick<Row, 'valid' | 'invalid'>>>): Row[] {
  return Object.entries(all).map(([format, { valid, invalid }]) => ({
    name: `the format ${format}`,
    schema: { type: 'string', format },
    valid,
    invalid: [...invalid, 1],
  }));
}

import { BODY_LIMITS } from '../../src/bodies/limits.ts';
import type { CostCase } from './cost-cases.ts';

/** Nearly as many values as a message may have; a key counts with its value. */
export const MOST_VALUES = BODY_LIMITS.values - 500;
/** The most characters of the keys that lead to a value. */
const MOST_OF_PLACE = 2_000;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const next = (name: string): object => ({ properties: { next: ref(name) } });

/** Schemas that refer to themselves, each in two places of one value. */
export const RECURSIVE_SCHEMAS = {
  AllOf: { type: 'object', allOf: [next('AllOf'), next('AllOf')] },
  AnyOf: { type: 'object', anyOf: [{ ...next('AnyOf'), required: ['x'] }, next('AnyOf')] },
  OneOf: { type: 'object', oneOf: [{ ...next('OneOf'), required: ['x'] }, next('OneOf')] },
  If: { type: 'object', if: next('If'), then: next('If') },
  Not: { type: 'object', not: { not: next('Not') }, ...next('Not') },
  Dependent: {
    type: 'object',
    dependentSchemas: { next: next('Dependent'), other: next('Dependent') },
    ...next('Dependent'),
  },
  Contains: { type: 'array', contains: ref('Contains'), items: ref('Contains') },
  Names: { type: 'object', additionalProperties: ref('Names'), patternProperties: { '^n': ref('Names') } },
  Defaults: {
    type: 'object',
    allOf: [next('Defaults'), next('Defaults')],
    properties: { list: { type: 'array', default: [1, 2] } },
  },
  Unevaluated: { type: 'object', anyOf: [{}, { required: ['x'] }], unevaluatedProperties: ref('Unevaluated') },
};

const objects = (size: number, object: string): string =>
  `[${object}${`,${object}`.repeat(Math.min(MOST_VALUES, size / (object.length + 1)))}]`;
const keys = (size: number, value = '1'): string => {
  const count = Math.min(MOST_VALUES, size / 12);
  return `{${Array.from({ length: count }, (_, index) => `"a${index}":${value}`).join(',')}}`;
};
const lists = (size: number, length: number, item: (index: number) => string): string => {
  const list = `[${Array.from({ length }, (_, index) => item(index)).join(',')}]`;
  const count = Math.max(1, Math.min(Math.floor(MOST_VALUES / length), size / list.length));
  return `[${Array.from({ length: count }, () => list).join(',')}]`;
};
const around = (length: number): string => `${`{"${'k'.repeat(length)}":`.repeat(98)}1${'}'.repeat(98)}`;
const nested = (depth: number): string => `${'{"next":'.repeat(depth)}{}${'}'.repeat(depth)}`;
const text =
  (unit: string, end = '!') =>
  (size: number) =>
    JSON.stringify(unit.repeat(Math.ceil(size / JSON.stringify(unit).length)) + end);

/** So many tuples in tuples, each with nearly as many items as it may have. */
const tuples = (count: number, first: string, length: number): string =>
  `[${Array(count)
    .fill(`[[[${first}]${',1'.repeat(50)}]${',1'.repeat(length)}]`)
    .join(',')}]`;
const tuple = (first: object): object => ({ type: 'array', prefixItems: [first] });

/** As many beginnings as ends. */
const groups = (begin: string, end: string, size: number): string => {
  const count = Math.ceil(size / (begin.length + end.length));
  return begin.repeat(count) + end.repeat(count);
};

const LETTERS = Array.from('abcdefghijklmnopqrst');
/** An object whose names match any combination of patterns. */
export const overlapping = (schema: (index: number) => object): object => ({
  type: 'object',
  patternProperties: Object.fromEntries(LETTERS.map((letter, index) => [letter, schema(index)])),
});
/** A text with names that match different combinations of those patterns. */
export function combinedNames(size: number, item: (name: string) => string, separator: string): string {
  const count = Math.min(MOST_VALUES, Math.ceil(size / (item('').length + separator.length + LETTERS.length / 2)));
  // The multiples of an odd number differ in the bits that choose the letters.
  const names = Array.from({ length: count }, (_, index) => {
    const bits = (index + 1) * 40_503;
    return LETTERS.filter((_letter, bit) => ((bits >> bit) & 1) === 1).join('');
  });
  return names.map(item).join(separator);
}

const LISTED = Array.from({ length: 10_000 }, (_, index) => `a${index}`);
const RANGES = Array.from({ length: 100 }, (_, index) => ({
  type: 'integer',
  format: 'int64',
  minimum: index * 10,
  maximum: index * 10 + 9,
}));

/** The schemas of a choice between 50 kinds, and the references to them. */
const kinds = (name: string, schema: (index: number) => object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${name}${index}`, schema(index)]));
const KINDS = {
  ...kinds('Kind', (index) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: `k${index}` }, next: ref(`Kind${index}`) },
  })),
  ...kinds('Named', (index) => ({
    type: 'object',
    required: [`a${index}`],
    properties: { next: ref(`Named${index}`) },
  })),
  Within: {
    anyOf: [
      ...Array.from({ length: 49 }, (_, index) => ({ type: 'object', required: [`a${index}`] })),
      { type: 'object', additionalProperties: ref('Within') },
    ],
  },
  ...kinds('Range', (index) => ({ type: 'integer', minimum: index * 10, maximum: index * 10 + 9 })),
};
const refsTo = (name: string): object[] => Array.from({ length: 50 }, (_, index) => ref(`${name}${index}`));
/** The schemas that others of {@link KEYWORD_SCHEMAS} refer to. */
export const REFERRED_SCHEMAS = { ...RECURSIVE_SCHEMAS, ...KINDS };

const unique = { type: 'array', items: { type: 'array', uniqueItems: true } };
const format = (name: string): object => ({ type: 'string', format: name });
const pattern = (source: string): object => ({ type: 'string', pattern: source });

/** A schema of a JSON body, and the worst bodies for it, by what they are. */
const ROWS: readonly (readonly [name: string, schema: object, bodies: Record<string, (size: number) => string>])[] = [
  [
    'uniqueItems',
    unique,
    {
      numbers: (size) => lists(size, 200, String),
      texts: (size) => lists(size, 200, (index) => `"${index}"`),
      'long texts': (size) => lists(size, 200, (index) => `"${'x'.repeat(200)}${index}"`),
      pairs: (size) => lists(size, 200, (index) => `[1,${index}]`),
      'numbers and objects': (size) =>
        lists(size, 200, (index) => (index % 2 === 0 ? `{"a":${index}}` : String(index))),
      'lists that hardly differ': (size) => lists(size, 150, (index) => `[${'0,'.repeat(100)}${index}]`),
    },
  ],
  [
    'uniqueItems of objects',
    { type: 'array', uniqueItems: true, items: { type: 'object' } },
    {
      'that hardly differ': (size) => lists(size, MOST_VALUES / 2 - 100, (index) => `{"a":${index}}`).slice(1, -1),
      'that are nested': (size) => `[${Array.from({ length: Math.min(180, size / 600) }, () => nested(95)).join(',')}]`,
    },
  ],
  [
    'contains',
    { type: 'array', contains: { type: 'object', required: ['x'] }, minContains: 2, maxContains: 3 },
    { objects: (size) => objects(size, '{}'), numbers: (size) => objects(size, '1') },
  ],
  [
    'dependentSchemas',
    {
      type: 'object',
      dependentSchemas: Object.fromEntries(
        Array.from({ length: 50 }, (_, index) => [`a${index}`, { additionalProperties: { type: 'integer' } }]),
      ),
    },
    { keys: (size) => keys(size) },
  ],
  [
    'dependentRequired',
    { type: 'object', dependentRequired: { a0: ['a1', 'a2'], a3: ['a4'] }, minProperties: 2, maxProperties: 100_000 },
    { keys: (size) => keys(size) },
  ],
  [
    'unevaluatedProperties',
    { type: 'object', anyOf: [{ patternProperties: { '^a1': {} } }, {}], unevaluatedProperties: { type: 'integer' } },
    { keys: (size) => keys(size) },
  ],
  [
    'patternProperties',
    {
      type: 'object',
      patternProperties: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`^a${index}`, {}])),
      additionalProperties: { type: 'integer' },
    },
    { keys: (size) => keys(size), 'a long key': (size) => `{"${'a'.repeat(size)}":1}` },
  ],
  [
    'propertyNames',
    { type: 'object', propertyNames: { pattern: '^[a-z0-9]+$', maxLength: 3_000_000, not: { const: 'b' } } },
    { keys: (size) => keys(size), 'a long key': (size) => `{"${'a'.repeat(size)}":1}` },
  ],
  [
    'if',
    { type: 'array', items: { if: { required: ['x'] }, then: { required: ['y'] }, else: { type: 'object' } } },
    { objects: (size) => objects(size, '{}') },
  ],
  [
    'choices',
    {
      type: 'array',
      items: {
        oneOf: Array.from({ length: 20 }, (_, index) => ({ type: 'object', required: [`a${index}`] })),
        anyOf: Array.from({ length: 20 }, (_, index) => ({ type: 'object', required: [`a${19 - index}`] })),
      },
    },
    { objects: (size) => objects(size, '{"a0":1}') },
  ],
  [
    'faults of choices',
    {
      type: 'array',
      items: { anyOf: Array.from({ length: 100 }, (_, index) => ({ type: 'object', required: [`a${index}`] })) },
    },
    { objects: () => objects(3 * 190, '{}'), numbers: () => objects(2 * 190, '1') },
  ],
  [
    'not',
    { type: 'array', items: { not: { items: { type: 'array' } } } },
    { lists: (size) => lists(size, 100, String) },
  ],
  [
    'enum',
    {
      type: 'array',
      items: {
        anyOf: [
          { type: 'string', enum: LISTED },
          { type: 'string', minLength: 10 },
        ],
      },
    },
    {
      'the last text': (size) => objects(size, '"a9999"'),
      'texts that are not listed': (size) => objects(size, '"a123456789"'),
      'long texts': (size) => objects(size, `"${'a'.repeat(1_000)}"`),
    },
  ],
  ['propertyNames of an enum', { type: 'object', propertyNames: { enum: LISTED } }, { keys: (size) => keys(size) }],
  [
    'choices of integers',
    { type: 'array', items: { oneOf: RANGES } },
    {
      'in the last': (size) => objects(size, '995'),
      'with an exponent': (size) => objects(size, '995e0'),
      large: () => '[9223372036854775807]',
    },
  ],
  [
    'any of many integers',
    { type: 'array', items: { anyOf: RANGES } },
    { 'in the last': (size) => objects(size, '995') },
  ],
  [
    'choices of constants',
    {
      type: 'array',
      items: { oneOf: LISTED.slice(0, 200).map((only) => ({ const: only, title: only })) },
    },
    { 'the last': (size) => objects(size, '"a199"') },
  ],
  [
    'propertyNames of constants',
    {
      type: 'object',
      propertyNames: { oneOf: [...LISTED.slice(0, 200).map((only) => ({ const: only })), { pattern: '.' }] },
    },
    { keys: (size) => keys(size).replaceAll('"a', '"b') },
  ],
  [
    'choices of kinds',
    { type: 'array', items: { oneOf: refsTo('Kind') } },
    { 'the last': (size) => objects(Math.min(size, 65_000), '{"kind":"k49"}') },
  ],
  [
    'choices of names',
    { type: 'array', items: { anyOf: refsTo('Named') } },
    { 'the last': (size) => objects(Math.min(size, 45_000), '{"a49":1}') },
  ],
  [
    'choices of references',
    { type: 'array', items: { oneOf: refsTo('Range') } },
    { integers: (size) => objects(size, '495') },
  ],
  [
    'discriminator',
    {
      type: 'array',
      items: {
        oneOf: refsTo('Kind'),
        discriminator: {
          propertyName: 'kind',
          mapping: Object.fromEntries(refsTo('Kind').map((_, index) => [`k${index}`, `Kind${index}`])),
        },
      },
    },
    { 'the last': (size) => objects(Math.min(size, 65_000), '{"kind":"k49"}') },
  ],
  [
    'prefixItems',
    {
      type: 'array',
      items: {
        type: 'array',
        prefixItems: Array.from({ length: 20 }, () => ({ type: 'integer' })),
        items: { type: 'string' },
      },
    },
    { 'short lists': (size) => objects(size, '[]'), 'long lists': (size) => lists(size, 20, String) },
  ],
  [
    'choices by name',
    {
      type: 'object',
      additionalProperties: {
        anyOf: Array.from({ length: 50 }, (_, index) => ({ type: 'object', required: [`a${index}`] })),
      },
    },
    {
      'a name of slashes': (size) => `{"${'/'.repeat(Math.min(size, MOST_OF_PLACE))}":{}}`,
      'more slashes than allowed': (size) => `{"${'/'.repeat(Math.min(size, 256_000))}":{}}`,
    },
  ],
  [
    'choices around each other',
    ref('Within'),
    {
      'keys of some length': (size) => around(Math.min(size, MOST_OF_PLACE) / 98),
      'keys longer than allowed': (size) => around(Math.min(size, 256_000) / 98 - 6),
    },
  ],
  [
    'integers by name',
    { type: 'object', additionalProperties: { type: 'integer' } },
    {
      'a name of slashes': (size) => `{"${'/'.repeat(Math.min(size, MOST_OF_PLACE))}":"a"}`,
      'a name of slashes and tildes': (size) => `{"${'/~'.repeat(Math.min(size, MOST_OF_PLACE) / 2)}":"a"}`,
      'a name of NULs': (size) => `{"constructor${'\\u0000'.repeat(Math.min(size / 6, MOST_OF_PLACE - 11))}":"a"}`,
    },
  ],
  [
    'faults of items',
    {
      type: 'array',
      items: {
        type: 'object',
        required: Array.from({ length: 100 }, (_, index) => `a${index}`),
        additionalProperties: false,
      },
    },
    { 'of few bytes': () => objects(7 * 90, '{"z":1}') },
  ],
  [
    'constants',
    {
      type: 'array',
      items: { enum: Array.from({ length: 100 }, (_, index) => ({ index, list: [index, { index }] })) },
    },
    { objects: (size) => objects(size, '{"index":99,"list":[99,{"index":99}]}').slice(0, -1) + ']' },
  ],
  [
    'defaults',
    {
      type: 'array',
      items: {
        properties: Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`a${index}`, { type: 'integer', default: 1 }]),
        ),
      },
    },
    { objects: (size) => objects(size, '{}'), 'as many as allowed': () => objects(3 * 900, '{}') },
  ],
  [
    'long defaults',
    { type: 'array', items: { properties: { a: { default: { list: Array(100).fill({ n: 1 }) } } } } },
    { objects: (size) => objects(size, '{}') },
  ],
  [
    'overlapping defaults',
    overlapping((index) => ({ type: 'object', properties: { [`a${index}`]: { type: 'integer', default: 1 } } })),
    { keys: (size) => `{${combinedNames(size, (name) => `"${name}":{}`, ',')}}` },
  ],
  [
    'multipleOf',
    { type: 'array', items: { type: 'number', multipleOf: 0.001, minimum: -1e308, maximum: 1.5e308 } },
    {
      'large numbers': (size) => objects(size, '1e300'),
      'many digits': (size) => objects(size, `${'1'.repeat(300)}.5`),
      'small numbers': (size) => objects(size, '1.23456789e-300'),
    },
  ],
  [
    'int64',
    { type: 'array', items: { type: 'integer', format: 'int64', minimum: 5, multipleOf: 7 } },
    {
      exponents: (size) => objects(size, '7e18'),
      zeros: (size) => objects(size, `7${'0'.repeat(10)}.${'0'.repeat(900)}`),
      'large integers': (size) => objects(size, '9223372036854775807'),
    },
  ],
  ['maxLength', { type: 'string', minLength: 5, maxLength: 100 }, { pairs: text('😀'), letters: text('x') }],
  ...Object.entries(RECURSIVE_SCHEMAS).map(
    ([name]) =>
      [
        `recursive ${name}`,
        ref(name),
        {
          'deep objects': () => (name === 'Contains' ? `${'['.repeat(95)}1${']'.repeat(95)}` : nested(95)),
          'many deep objects': () =>
            name === 'Contains'
              ? `[${Array(900)
                  .fill(`${'['.repeat(15)}1${']'.repeat(15)}`)
                  .join(',')}]`
              : `{"next":${nested(15)},${Array.from({ length: 900 }, (_, index) => `"n${index}":${nested(15)}`).join(',')}}`,
        },
      ] as const,
  ),
  [
    'tuples',
    { type: 'array', items: tuple(tuple(tuple({ type: 'integer' }))) },
    {
      full: () => tuples(60, '1', 90),
      'that do not fit': () => tuples(100, '"x"', 1),
      empty: (size) => objects(Math.min(size, 2 * MOST_VALUES), '[[[]]]'),
    },
  ],
  [
    'email',
    format('email'),
    { dots: text('a.'), quotes: (size) => text('\\"')(size), at: text('@'), plus: text('a+'), long: text('a', '@b') },
  ],
  ['hostname', format('hostname'), { hyphens: text('a-'), dots: text('a.'), letters: text('a') }],
  ['byte', format('byte'), { letters: text('AAAA'), equals: text('AAAA', '=') }],
  [
    'date-time',
    format('date-time'),
    { digits: text('1'), fraction: (size) => JSON.stringify(`2020-01-01T00:00:00.${'1'.repeat(size)}!`) },
  ],
  ['time', format('time'), { fraction: (size) => JSON.stringify(`00:00:00.${'1'.repeat(size)}!`) }],
  ['uuid', format('uuid'), { digits: text('1') }],
  [
    'duration',
    format('duration'),
    {
      digits: (size) => JSON.stringify(`P${'1'.repeat(size)}`),
      letters: (size) => JSON.stringify(`P${'1Y'.repeat(size / 2)}`),
    },
  ],
  ['ipv4', format('ipv4'), { digits: text('1.'), zeros: text('0') }],
  ['ipv6', format('ipv6'), { colons: text(':'), digits: text('1:'), zeros: text('0') }],
  ['json-pointer', format('json-pointer'), { slashes: text('/'), tildes: text('/~0'), letters: text('/a', '~') }],
  [
    'regex',
    format('regex'),
    {
      parentheses: text('('),
      closed: text('()'),
      brackets: text('[a]', '['),
      bars: text('a|'),
      repetitions: text('a{1,9}', '('),
      'named groups': text('(?<a>)|', ''),
      'named groups in groups': (size) => JSON.stringify(groups('(?:(?<a>)|(?<a>)|', ')', size)),
      'named groups and references': (size) => JSON.stringify(groups('(?<a>)|', '\\k<a>', size)),
    },
  ],
  [
    'regexes',
    { type: 'array', items: format('regex') },
    {
      'named groups and references': (size) =>
        JSON.stringify(Array(Math.ceil(size / 420)).fill(groups('(?<a>)|', '\\k<a>', 420))),
    },
  ],
  [
    'uri',
    format('uri'),
    {
      scheme: text('a'),
      path: (size) => JSON.stringify(`a:${'/a'.repeat(size / 2)}!"`),
      host: (size) => JSON.stringify(`a://${'a'.repeat(size)}"`),
      'user info': (size) => JSON.stringify(`a://${'a:'.repeat(size / 2)}"`),
      percent: (size) => JSON.stringify(`a://${'%41'.repeat(size / 3)}"`),
      ipv6: (size) => JSON.stringify(`a://[${'1:'.repeat(size / 2)}]"`),
      query: (size) => JSON.stringify(`a:?${'?'.repeat(size)}"`),
      dots: (size) => JSON.stringify(`a://${'1.'.repeat(size / 2)}"`),
      at: (size) => JSON.stringify(`a://${'@'.repeat(size)}`),
      slashes: (size) => JSON.stringify(`a:${'/'.repeat(size)}"`),
    },
  ],
  [
    'uri-reference',
    format('uri-reference'),
    {
      path: text('a/', '"'),
      slashes: text('/', '"'),
      colons: text('a:', '"'),
      percent: text('%41', '"'),
      hash: text('#'),
      query: text('?', '"'),
      at: text('a@', '"'),
      host: (size) => JSON.stringify(`//${'a.'.repeat(size / 2)}"`),
    },
  ],
  ['pattern of groups', pattern('^(?:ab|cd)*$'), { pairs: text('ab'), 'pairs that end well': text('ab', 'cd') }],
  ['pattern of captures', pattern('^(a|b)*$'), { pairs: text('ab') }],
  ['pattern of words', pattern('^[a-z]+(?:-[a-z]+)*$'), { words: text('a-') }],
];

/** Their operations. */
export const KEYWORD_SCHEMAS: Readonly<Record<string, object>> = Object.fromEntries(
  ROWS.map(([name, schema]) => [`/keywords/${name.replaceAll(' ', '-')}`, schema]),
);

/** The worst bodies for each keyword that looks at values. */
export const KEYWORD_CASES: readonly CostCase[] = ROWS.flatMap(([name, , bodies]) =>
  Object.entries(bodies).map(([what, body]) => ({
    name: `${name}: ${what}`,
    request: (size: number) => ({
      path: `/keywords/${name.replaceAll(' ', '-')}`,
      headers: { 'Content-Type': 'application/json' },
      body: body(size),
    }),
  })),
);

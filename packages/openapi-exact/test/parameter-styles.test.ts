import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from './support/any-character.ts';
import type { EchoServer } from './support/echo-server.ts';
import { serveParameters } from './support/echo-server.ts';
import { writeParameter, type Json } from 'openapi-exact-cli/examples';

type Location = 'path' | 'query' | 'header' | 'cookie';
type Kind = 'empty' | 'string' | 'array' | 'object';

const VALUES: Readonly<Record<Kind, unknown>> = {
  empty: '',
  string: 'blue',
  array: ['blue', 'black', 'brown'],
  object: { R: 100n, G: 200n, B: 9007199254740993n },
};
const BLUE = 9007199254740993n;

/** A style, with explode and without, where it may stand, and texts of it. */
type Row = readonly [
  style: string,
  explode: boolean,
  locations: readonly Location[],
  texts: Partial<Record<Kind, string>>,
];

/** The table "Style Examples" (OpenAPI 3.1.1), and what else clients send. */
const TABLE: readonly Row[] = [
  ['matrix', false, ['path'], { empty: ';color', string: ';color=blue', array: ';color=blue,black,brown' }],
  ['matrix', false, ['path'], { object: `;color=R,100,G,200,B,${BLUE}` }],
  ['matrix', true, ['path'], { empty: ';color', string: ';color=blue', object: `;R=100;G=200;B=${BLUE}` }],
  ['matrix', true, ['path'], { array: ';color=blue;color=black;color=brown' }],
  ['label', false, ['path'], { empty: '.', string: '.blue', array: '.blue,black,brown' }],
  ['label', false, ['path'], { object: `.R,100,G,200,B,${BLUE}` }],
  ['label', true, ['path'], { empty: '.', string: '.blue', array: '.blue.black.brown' }],
  ['label', true, ['path'], { object: `.R=100.G=200.B=${BLUE}` }],
  ['simple', false, ['path', 'header'], { string: 'blue', array: 'blue,black,brown' }],
  ['simple', false, ['path', 'header'], { object: `R,100,G,200,B,${BLUE}` }],
  ['simple', true, ['path', 'header'], { string: 'blue', array: 'blue,black,brown' }],
  ['simple', true, ['path', 'header'], { object: `R=100,G=200,B=${BLUE}` }],
  ['form', false, ['query', 'cookie'], { empty: 'color=', string: 'color=blue', array: 'color=blue,black,brown' }],
  ['form', false, ['query', 'cookie'], { object: `color=R,100,G,200,B,${BLUE}` }],
  ['form', true, ['query', 'cookie'], { empty: 'color=', string: 'color=blue' }],
  ['form', true, ['query', 'cookie'], { array: 'color=blue&color=black&color=brown', object: `R=100&G=200&B=${BLUE}` }],
  // How clients explode cookies: RFC 6265 has one name in each.
  ['form', true, ['cookie'], { array: 'color=blue; color=black; color=brown' }],
  ['form', true, ['cookie'], { array: 'color=blue,black,brown', object: `R=100; other=1; G=200; B=${BLUE}` }],
  ['spaceDelimited', false, ['query'], { array: 'color=blue%20black%20brown' }],
  ['spaceDelimited', false, ['query'], { array: 'color=blue+black+brown' }],
  ['spaceDelimited', false, ['query'], { object: `color=R%20100%20G%20200%20B%20${BLUE}` }],
  ['pipeDelimited', false, ['query'], { array: 'color=blue%7Cblack%7Cbrown' }],
  ['pipeDelimited', false, ['query'], { array: 'color=blue|black|brown' }],
  ['pipeDelimited', false, ['query'], { object: `color=R%7C100%7CG%7C200%7CB%7C${BLUE}` }],
  ['spaceDelimited', true, ['query'], { array: 'color=blue&color=black&color=brown' }],
  ['deepObject', true, ['query'], { object: `color%5BR%5D=100&color[G]=200&color%5BB%5D=${BLUE}` }],
];

const INT64 = { type: 'integer', format: 'int64' };
const SCHEMAS: Readonly<Record<Kind, object>> = {
  empty: { type: 'string' },
  string: { type: 'string' },
  array: { type: 'array', items: { type: 'string' } },
  object: { type: 'object', required: ['R'], properties: { R: INT64, G: INT64, B: INT64 } },
};
const KINDS = Object.keys(SCHEMAS) as Kind[];

const paths = Object.fromEntries(
  TABLE.flatMap(([style, explode, locations]) =>
    locations.flatMap((location) =>
      KINDS.map((kind): [string, object[]] => {
        const place = `/${location}/${style}/${explode}/${kind}`;
        const required = location === 'path';
        const color = { name: 'color', in: location, style, explode, required, schema: SCHEMAS[kind] };
        return [required ? `${place}/{color}` : place, [color]];
      }),
    ),
  ),
);

const server = await serveParameters(paths);
afterAll(() => server.close());

/** A value of a kind in a style and location. */
interface Cell {
  readonly style: string;
  readonly explode: boolean;
  readonly location: Location;
  readonly kind: Kind;
}

/** Sends a serialised value in its location. */
function ask({ style, explode, location, kind }: Cell, text: string): ReturnType<EchoServer['ask']> {
  const place = `/${location}/${style}/${explode}/${kind}`;
  if (location === 'path') return server.ask(`${place}/${text}`);
  if (location === 'query') return server.ask(`${place}?${text}`);
  return server.ask(place, location === 'cookie' ? { Cookie: text } : { color: text });
}

const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;
const NOTHING = { status: 204, params: {}, query: {}, headers: {}, cookies: {} };

const cells = TABLE.flatMap(([style, explode, locations, texts]) => {
  const kinds = KINDS.filter((kind) => texts[kind] !== undefined);
  return locations.flatMap((location) =>
    kinds.map((kind) => ({ style, explode, location, kind, text: texts[kind] ?? '' })),
  );
});

test.each(cells)('the value of $style $explode $location $text arrives', async (cell) => {
  const expected = { ...NOTHING, [GROUPS[cell.location]]: { color: VALUES[cell.kind] } };
  expect(await ask(cell, cell.text)).toEqual(expected);
});

/** Texts that are not of the style, or have another type. */
const REFUSED: readonly (readonly [
  location: Location,
  style: string,
  explode: boolean,
  kind: Kind,
  texts: readonly string[],
])[] = [
  ['path', 'matrix', false, 'string', ['blue', ';colour=blue', ';color=blue;color=black']],
  ['path', 'matrix', false, 'array', ['color=blue,black']],
  ['path', 'matrix', false, 'object', [';color=R,100,G']],
  ['path', 'matrix', true, 'array', [';color=blue;colour=black']],
  ['path', 'matrix', true, 'object', [';color=R,100', ';R=100;G=x', ';G=100']],
  ['path', 'label', false, 'string', ['blue']],
  ['path', 'label', false, 'object', ['.R,100,G', `.R.100.G.200.B.${BLUE}`]],
  ['path', 'label', true, 'object', ['.R.100', '.R=9223372036854775808']],
  ['path', 'simple', false, 'object', ['R,100,G', 'R,100,R,200']],
  ['path', 'simple', true, 'object', ['R=100,G', 'R=01']],
  ['header', 'simple', false, 'object', ['R,1.0']],
  ['header', 'simple', true, 'object', ['G=1']],
  ['query', 'form', false, 'string', ['color=blue&color=black']],
  ['query', 'form', false, 'array', ['color=blue&color=black']],
  ['query', 'form', false, 'object', ['color=R,100,G', 'R=100']],
  ['query', 'form', true, 'string', ['color=blue&color=black']],
  ['query', 'form', true, 'object', ['R=100&R=200', 'R=100&X=200', 'color=R,100', 'R=']],
  ['query', 'spaceDelimited', false, 'object', ['color=R%20100%20G']],
  ['query', 'pipeDelimited', false, 'object', ['color=R,100']],
  // test/contract/parameters.test.ts has brackets that do not match.
  [
    'query',
    'deepObject',
    true,
    'object',
    [
      ...['color[G]=1', 'color[R]=1&color[R]=2', 'color[R][x]=1', 'color[]=1', 'color=1'],
      'color={"R":100,"G":200,"B":150}',
    ],
  ],
  ['cookie', 'form', false, 'object', ['color=R,100,G']],
  ['cookie', 'form', true, 'object', ['R=1; R=2']],
  ['cookie', 'form', true, 'string', ['color=blue; color=black', 'color=%FF']],
];

test.each(
  REFUSED.flatMap(([location, style, explode, kind, texts]) =>
    texts.map((text) => ({ location, style, explode, kind, text })),
  ),
)(
  'the $kind $text in the $location is refused in the style $style with explode $explode',
  async ({ text, ...place }) => {
    expect(await ask(place, text)).toMatchObject({ status: 400 });
  },
);

const delimiters = fc.stringMatching(/^[,.;=&|%+ /?#a"[\]]{0,6}$/);
const textOf = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
const anyText = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 12 }), delimiters);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const anyValue: Readonly<Record<Kind, fc.Arbitrary<Json>>> = {
  empty: anyText,
  string: anyText,
  array: fc.array(anyText, { minLength: 1, maxLength: 5 }),
  object: fc.record({ R: int64, G: int64, B: int64 }, { requiredKeys: ['R'] }).map((color) => ({ ...color })),
};
const encoded = cells.filter(({ location, kind }) => ['path', 'query'].includes(location) && kind !== 'empty');

test('any value that is serialised by the rules of its style arrives as it was', async () => {
  const cell = fc.constantFrom(...encoded).chain((drawn) => fc.tuple(fc.constant(drawn), anyValue[drawn.kind]));
  await fc.assert(
    fc.asyncProperty(cell, async ([drawn, value]) => {
      const { style, explode, location } = drawn;
      const text = writeParameter({ name: 'color', in: location, style, explode }, value);
      // These styles cannot carry their own delimiter, as OpenAPI says itself.
      const delimiter = { spaceDelimited: ' ', pipeDelimited: '|', label: '.' }[style];
      fc.pre(delimiter === undefined || !JSON.stringify([value], textOf).includes(delimiter));
      // A path parameter cannot be empty (OpenAPI, "Path Templating").
      fc.pre(!(location === 'path' && text === ''));
      const expected = { ...NOTHING, [GROUPS[location]]: { color: value } };
      expect(await ask(drawn, text)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

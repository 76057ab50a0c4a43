import { describe, expect, test } from '@jest/globals';
import { loadContract } from 'openapi-exact';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { costlyPatterns } from '../src/lint/costly-patterns.ts';
import { costlyValues } from '../src/lint/costly-values.ts';
import { manyMerges } from '../src/lint/many-merges.ts';

test.each([
  ['^(a+)+$', undefined, 'exponentially'],
  ['^(a+)+$', 20, 'exponentially'],
  ['\\s+$', undefined, 'with the square'],
  ['\\s+$', 1000, undefined],
  ['^(a|a)+$', 20, 'exponentially'],
  ['^(a|aa)+$', 20, 'exponentially'],
  ['^((a|a)b)+$', 20, 'exponentially'],
  ['^((a|b)|(b|c))+$', 20, 'exponentially'],
  ['^([a-zA-Z]+)*$', 20, 'exponentially'],
  ['^(\\w+\\s?)*$', 20, 'exponentially'],
  ['^(.+)+@(.+)+$', 20, 'exponentially'],
  ['\\s*\\s*x', undefined, 'with the square'],
  ['.*.*=.*', undefined, 'with the square'],
  ['^(.*?,){11}P', undefined, 'with the square'],
  ['^\\d+\\d+\\d+$', undefined, 'with the square'],
  ['^(ab|cd)*$', undefined, undefined],
  ['^(?:[^"]|"[^"]*")*$', undefined, undefined],
  ['^(?:[a-z0-9]+\\.)+[a-z]{2,}$', undefined, undefined],
  ['^\\s*x*$', undefined, undefined],
  ['^[a-z]+(-[a-z]+)*$', undefined, undefined],
  ['(', undefined, undefined],
])('a review of the pattern %s with the maxLength %s warns of: %s', (pattern, maxLength, growth) => {
  const warnings = costlyPatterns([{ pattern, ...(maxLength === undefined ? {} : { maxLength }) }]);
  expect(warnings.map(({ reason }) => reason)).toEqual(
    growth === undefined ? [] : [expect.stringContaining(`the time of the pattern ${pattern} grows ${growth}`)],
  );
});

describe('a review of the evaluations that each value of a request takes', () => {
  const many = <T>(count: number, item: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => item(index));
  const named = (prefix: string, count: number, item: (index: number) => object): object =>
    Object.fromEntries(many(count, (index) => [`${prefix}${index}`, item(index)]));
  const listOf = (items: object, limits = {}): object => ({ type: 'array', items, ...limits });
  const text = (index: number): object => ({ type: 'string', minLength: index });
  const nested = (levels: number): object => (levels === 0 ? text(1) : { anyOf: many(7, () => nested(levels - 1)) });
  const kinds = (kind: (index: number) => object): object =>
    listOf({
      oneOf: many(150, (index) => ({ type: 'object', required: ['kind'], properties: { kind: kind(index) } })),
    });
  const ranges = (count: number): object[] =>
    many(count, (index) => ({ type: 'integer', minimum: -index, maximum: 5 }));
  const conditions = many(60, (index) => ({ if: { required: [`a${index}`] }, then: { required: ['b'] } }));
  const tree = { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } } };
  const Tree = { ...tree, anyOf: many(150, (index) => ({ required: [`a${index}`] })) };
  const List = { type: 'object', properties: { list: listOf({ $ref: '#/components/schemas/List' }) } };

  const Kind = { type: 'object', properties: { kind: { type: 'string' } } };
  const referredKinds = { oneOf: many(150, (index) => ({ $ref: `#/components/schemas/Kind${index}` })) };
  const discriminator = { propertyName: 'kind' };

  const evaluationsFor = async (schema: object): Promise<readonly string[]> => {
    const requestBody = { content: { 'application/json': { schema } } };
    const paths = { '/': { post: { requestBody, responses: { 204: { description: 'Kept.' } } } } };
    const document = documentText({
      paths,
      components: { schemas: { Tree, List, ...named('Kind', 150, () => Kind) } },
    });
    const warnings = costlyValues(await withFiles({ 'openapi.yaml': document }, loadContract));
    return warnings.map(({ reason }) => /up to (\d+) evaluations/.exec(reason)?.[1] ?? reason);
  };

  test.each<[name: string, schema: object, evaluations: number]>([
    ['alternatives of alternatives', listOf(nested(3)), 343],
    ['alternatives for many short lists', listOf(listOf(nested(3), { maxItems: 1_000 })), 343],
    ['objects that patterns tell apart', kinds((index) => ({ type: 'string', pattern: `^${index}$` })), 150],
    ['objects behind references', listOf(referredKinds), 150],
    ['objects whose discriminator may be missing', listOf({ ...referredKinds, discriminator }), 150],
    ['ranges that all fit', listOf({ allOf: ranges(150) }), 150],
    ['conditions', listOf({ allOf: conditions }), 120],
    ['patterns of names', { patternProperties: named('^a', 50, () => ({})) }, 150],
    ['alternatives for names', { propertyNames: { anyOf: many(150, text) } }, 150],
    ['many properties', listOf({ properties: named('a', 1_000, () => ({})) }), 125],
    ['alternatives between lists', { anyOf: many(20, () => listOf({ anyOf: many(20, text) })) }, 400],
    ['alternatives that are nested in themselves', { $ref: '#/components/schemas/Tree' }, 151],
  ])('warns of %s', async (_name, schema, evaluations) => {
    expect(await evaluationsFor(schema)).toEqual([String(evaluations)]);
  });

  test.each<[name: string, schema: object]>([
    ['fewer alternatives', listOf(nested(2))],
    ['alternatives for one value', nested(3)],
    ['alternatives for a short list', listOf(nested(3), { maxItems: 1_000 })],
    ['objects that constants tell apart', kinds((index) => ({ const: `k${index}` }))],
    ['objects that a discriminator tells apart', listOf({ ...referredKinds, discriminator, required: ['kind'] })],
    ['constants', listOf({ anyOf: many(150, (index) => ({ const: `k${index}` })) })],
    ['ranges of which one fits', listOf({ anyOf: ranges(150) })],
    ['few patterns of names', { patternProperties: named('^a', 20, () => ({})) }],
    ['many properties of one object', { properties: named('a', 1_000, () => ({})) }],
    ['a type that excludes the alternatives', listOf({ anyOf: [text(1), { type: 'object', allOf: [nested(3)] }] })],
    ['objects that are nested in themselves', { $ref: '#/components/schemas/List' }],
  ])('does not warn of %s', async (_name, schema) => {
    expect(await evaluationsFor(schema)).toEqual([]);
  });

  test.each(['todo', 'garden'])('does not warn of the example %s', async (example) => {
    const contract = new URL(`../../openapi-exact/examples/${example}/openapi.yaml`, import.meta.url);
    expect(costlyValues(await loadContract(contract))).toEqual([]);
  });
});

test.each([
  ['the same choice at each level', (): object => ({ $ref: '#/components/schemas/Node0' }), 0],
  ['choices that combine without end', (to: number): object => ({ $ref: `#/components/schemas/Node${to}` }), 1],
])('a review warns of forms whose nested choices need too many merges: %s', async (_name, child, count) => {
  // Each alternative leads to other schemas, so that those of a place are ever different ones.
  const most = 14;
  const schemas = Object.fromEntries(
    Array.from({ length: most }, (_, at) => [
      `Node${at}`,
      {
        type: 'object',
        allOf: [
          {
            anyOf: [{ properties: { a: child((at + 1) % most) } }, { properties: { [`x${at}`]: { type: 'string' } } }],
          },
          { properties: { a: child(at === most - 1 ? 1 : at), b: child((at * 3 + 1) % most) } },
        ],
      },
    ]),
  );
  const content = { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Node0' } } };
  const post = { requestBody: { content }, responses: { 204: { description: 'Kept.' } } };
  await withFiles(
    { 'openapi.yaml': documentText({ components: { schemas }, paths: { '/': { post } } }) },
    async (file) => {
      expect(manyMerges(await loadContract(file))).toHaveLength(count);
    },
  );
});

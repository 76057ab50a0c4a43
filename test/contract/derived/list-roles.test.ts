import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from 'openapi-exact-cli/examples';
import { listRoles, type ListDescription, type Roles } from './list-roles.ts';

const ITEM = { type: 'object', properties: { id: { type: 'integer' }, price: { type: 'integer' } } };

/** What the tests expect of a list with these query parameters. */
function rolesOf(
  parameters: readonly [name: string, schema: JsonObject, meaning?: Json][],
  { next, links = [] }: { next?: string; links?: ListDescription['links'] } = {},
): Roles {
  const properties = {
    plants: { type: 'array', items: ITEM },
    ...(next !== undefined && { [next]: { type: 'string' } }),
  };
  return listRoles({
    operation: { id: 'listPlants', path: '/plants' },
    parameters: parameters.map(([name, schema, meaning]) => ({
      ...{ name, in: 'query', schema },
      ...(meaning !== undefined && { 'x-list': meaning }),
    })),
    answer: { type: 'object', properties },
    links,
  });
}

/** Which of the values 1, 2 and 3 a filter with the value 2 keeps. */
function keptBy([filter]: Roles['filters']): number[] {
  return [1, 2, 3].filter((value) => filter?.keeps(value, 2) === true);
}

describe('what a query parameter of a list means', () => {
  test('follows from its name where that is a convention of the field', () => {
    expect(keptBy(rolesOf([['price', { type: 'integer' }]]).filters)).toEqual([2]);
    for (const name of ['limit', 'pageSize', 'per_page'])
      expect(rolesOf([[name, { type: 'integer' }]]).limit).toMatchObject({ name });
    expect(rolesOf([['sort', { type: 'string', enum: ['price', '+id', '-id'] }]]).orders).toEqual([
      { parameter: 'sort', value: 'price', property: 'price', isDescending: false },
      { parameter: 'sort', value: '+id', property: 'id', isDescending: false },
      { parameter: 'sort', value: '-id', property: 'id', isDescending: true },
    ]);
    expect(rolesOf([['page_token', { type: 'string' }]], { next: 'nextPageToken' }).cursor).toEqual({
      place: ['nextPageToken'],
      parameter: 'page_token',
    });
  });

  test('is not guessed from any other name, nor from a schema', () => {
    const guessed: [string, JsonObject][] = [
      ['minPrice', { type: 'integer' }],
      ['orderBy', { type: 'string', enum: ['price', '-price'] }],
      ['after', { type: 'string' }],
    ];
    expect(rolesOf(guessed, { next: 'next' })).toEqual({ filters: [], orders: [], areAll: false });
  });

  test.each([
    ['equals', [2]],
    ['minimum', [2, 3]],
    ['exclusiveMinimum', [3]],
    ['maximum', [1, 2]],
    ['exclusiveMaximum', [1]],
  ])('is what its x-list says: %s', (comparison, kept) => {
    const { filters, areAll } = rolesOf([['bound', { type: 'integer' }, { [comparison]: 'price' }]]);
    expect(filters).toMatchObject([{ parameter: 'bound', property: 'price' }]);
    expect(keptBy(filters)).toEqual(kept);
    expect(areAll).toBe(true);
  });

  test('is what its x-list says: an order, a limit, or nothing that its name means', () => {
    const arranged = rolesOf([['arrange', { type: 'string' }, { order: { cheapest: 'price', dearest: '-price' } }]]);
    expect(arranged.orders).toEqual([
      { parameter: 'arrange', value: 'cheapest', property: 'price', isDescending: false },
      { parameter: 'arrange', value: 'dearest', property: 'price', isDescending: true },
    ]);
    expect(rolesOf([['top', { type: 'integer' }, { limit: true }]]).limit).toMatchObject({ name: 'top' });
    expect(rolesOf([['price', { type: 'integer' }, {}]])).toEqual({ filters: [], orders: [], areAll: false });
  });

  test.each([
    {
      operationId: 'listPlants',
      parameters: { limit: '$request.query.limit', after: '$response.body#/page/next~1id' },
    },
    { operationRef: '#/paths/~1plants/get', parameters: { 'query.after': '$response.body#/page/next~1id' } },
  ])('is what a link to the next page says: %j', (link) => {
    const other = { operationId: 'getPlant', parameters: { id: '$response.body#/first' } };
    expect(rolesOf([['after', { type: 'string' }]], { links: [other, link] })).toMatchObject({
      cursor: { place: ['page', 'next/id'], parameter: 'after' },
      areAll: true,
    });
  });

  test.each([
    ['prize', { minimum: 'prize' }],
    ['prize', { order: { cheapest: 'prize' } }],
    ['least', { least: 'price' }],
    ['exclusiveMinimum', { minimum: 'price', maximum: 'price' }],
    ['exclusiveMinimum', 'price'],
  ])('is refused where it is wrong, and the message says what would be right: %s', (part, meaning) => {
    const read = (): Roles => rolesOf([['bound', { type: 'integer' }, meaning]]);
    expect(read).toThrow("listPlants: the x-list of the parameter 'bound' must");
    expect(read).toThrow(part);
  });

  test('is refused where a link names no parameter', () => {
    const link = { operationId: 'listPlants', parameters: { behind: '$response.body#/next' } };
    expect(() => rolesOf([['after', { type: 'string' }]], { links: [link] })).toThrow("'behind'");
  });
});

import { describe, expect, test } from '@jest/globals';
import { serveDocument } from './support/inline-contract.ts';
import { stepsOf } from 'test-support/steps.ts';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** Steps per level are the same in a message of twice as many levels, up to this share. */
const LINEAR = 1.3;

test('the defaults of a recursive schema that is described twice take as many steps for each level', async () => {
  const child = { properties: { child: ref('Node') } };
  const Node = { type: 'object', allOf: [child, child], properties: { n: { type: 'integer', default: 1 } } };
  const post = {
    requestBody: { content: { 'application/json': { schema: ref('Node') } } },
    responses: { 200: { description: 'The same.', content: { 'application/json': { schema: {} } } } },
  };
  const server = await serveDocument({ components: { schemas: { Node } }, paths: { '/': { post } } }, ({ body }) => ({
    status: 200,
    body,
  }));
  const nested = (levels: number, inner = ''): string => `${`{${inner}"child":`.repeat(levels)}{}${'}'.repeat(levels)}`;
  const ask = async (levels: number): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' };
    return stepsOf(async () => {
      const answer = await server.request('POST', '/', { headers, body: nested(levels) });
      const filled: unknown = JSON.parse(nested(levels, '"n":1,').replace('{}', '{"n":1}'));
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, filled]);
    });
  };
  await ask(1);
  const [few, some] = [await ask(2), await ask(4)];
  const more = await ask(8);
  expect((more - some) / 4).toBeLessThan(((some - few) / 2) * LINEAR);
  await server.close();
});

describe('the search for all faults of a request', () => {
  /** Operations whose bodies refer to the same schemas. */
  const count = 30;
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `Part${index}`,
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'string' }, next: ref(`Part${(index + 1) % count}`) },
      },
    ]),
  );
  const post = (index: number): object => ({
    requestBody: { content: { 'application/json': { schema: ref(`Part${index}`) } } },
    responses: { 204: { description: 'Kept.' } },
  });
  const paths = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`/${index}`, { post: post(index) }]));
  const headers = { 'Content-Type': 'application/json' };
  const serve = (): ReturnType<typeof serveDocument> =>
    serveDocument({ components: { schemas }, paths }, () => ({ status: 204 }));
  const faults = { status: 400, text: expect.stringMatching(/"invalidBody".* \/a .* \/b /) };

  test('compiles the schemas that operations share once', async () => {
    const server = await serve();
    const ask = (path: string): Promise<number> =>
      stepsOf(async () => {
        expect(await server.request('POST', path, { headers, body: '{"a":"x","b":1}' })).toMatchObject(faults);
      });
    const first = await ask('/0');
    for (const path of ['/1', '/2', '/3', '/4']) expect(await ask(path)).toBeLessThan(first / 5);
    await server.close();
  });

  test('lets other requests be answered while it compiles', async () => {
    const server = await serve();
    const answered: number[] = [];
    const ask = async (body: string): Promise<void> => {
      const { status } = await server.request('POST', '/0', { headers, body });
      answered.push(status);
    };
    await ask('{}');
    await Promise.all([ask('{"a":"x","b":1}'), ask('{}')]);
    expect(answered).toEqual([204, 204, 400]);
    await server.close();
  });
});

describe('a recursive choice takes as many steps for each level', () => {
  const nullable = { anyOf: [ref('Node'), { type: 'null' }] };
  const branch = (name: string, child: object): object => ({
    type: 'object',
    properties: { [name]: { type: 'integer' }, child },
  });
  const contracts: readonly [name: string, child: object, nodes: object][] = [
    ['that a common part stands beside', ref('Node'), { oneOf: [branch('a', ref('Node')), branch('b', ref('Node'))] }],
    ['of parts that may be null', nullable, { anyOf: [branch('a', { ...nullable }), branch('b', { ...nullable })] }],
    [
      'within a condition',
      ref('Node'),
      { if: { required: ['a'] }, then: branch('a', ref('Node')), else: branch('b', ref('Node')) },
    ],
    [
      'by what other properties ask for',
      ref('Node'),
      { dependentSchemas: { a: branch('a', ref('Node')), b: branch('b', ref('Node')) } },
    ],
    [
      'in several parts',
      { allOf: [ref('Node'), { properties: { c: { type: 'integer' } } }] },
      { allOf: [1, 2, 3].map((index) => ({ oneOf: [branch('a', ref('Node')), branch(`b${index}`, ref('Node'))] })) },
    ],
  ];
  const keys = (levels: number): string => `${'[child]'.repeat(levels)}[a]`;
  const part = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n--b--`;
  const requests: Readonly<Record<string, (levels: number) => readonly [query: string, type: string, body: string]>> = {
    'a deepObject': (levels) => [`?q${keys(levels)}=1`, '', ''],
    'a form': (levels) => ['', 'application/x-www-form-urlencoded', `q${keys(levels)}=1`],
    'a multipart body': (levels) => ['', 'multipart/form-data; boundary=b', part(`q${keys(levels)}`)],
  };

  test.each(contracts)('%s', async (_name, child, node) => {
    const Node = { type: 'object', properties: { child, base: { type: 'string' } }, ...node };
    const body = { type: 'object', properties: { q: ref('Node') } };
    const types = ['application/x-www-form-urlencoded', 'multipart/form-data'];
    const operation = {
      parameters: [{ in: 'query', name: 'q', style: 'deepObject', schema: ref('Node') }],
      requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: body }])) },
      responses: { 204: { description: 'Kept.' } },
    };
    const server = await serveDocument(
      { components: { schemas: { Node } }, paths: { '/': { post: operation } } },
      () => ({
        status: 204,
      }),
    );
    for (const request of Object.values(requests)) {
      const ask = (levels: number): Promise<number> =>
        stepsOf(async () => {
          const [query, type, text] = request(levels);
          const headers = type === '' ? {} : { 'Content-Type': type };
          const { status } = await server.request('POST', `/${query}`, {
            headers,
            body: text === '' ? undefined : text,
          });
          expect([204, 400]).toContain(status);
        });
      const some = await ask(2);
      expect(await ask(4)).toBeLessThan(some * 2 * LINEAR);
      expect(await ask(16)).toBeLessThan(some * 8 * LINEAR);
    }
    await server.close();
  });
});

import { expect, test } from '@jest/globals';
import { serveDocument } from './support/inline-contract.ts';
import { stepsOf } from './support/steps.ts';

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
      expect([answer.status, answer.text]).toEqual([200, nested(levels, '"n":1,').replace('{}', '{"n":1}')]);
    });
  };
  await ask(1);
  const [few, some] = [await ask(2), await ask(4)];
  const more = await ask(8);
  expect((more - some) / 4).toBeLessThan(((some - few) / 2) * LINEAR);
  await server.close();
});

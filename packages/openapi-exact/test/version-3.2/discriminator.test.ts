import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveDocument } from '../support/inline-contract.ts';
import type { ContractServer } from '../support/contract-server.ts';

const REF = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const schemas = (defaultMapping: string): object => ({
  Pet: {
    oneOf: ['Cat', 'Dog', 'OtherPet'].map(REF),
    discriminator: { propertyName: 'petType', mapping: { dog: 'Dog' }, defaultMapping },
  },
  Cat: { type: 'object', required: ['petType', 'lives'], properties: { petType: {}, lives: { type: 'integer' } } },
  Dog: { type: 'object', required: ['petType', 'bark'], properties: { petType: {}, bark: { type: 'boolean' } } },
  OtherPet: {
    type: 'object',
    required: ['name'],
    properties: { petType: { not: { enum: ['Cat', 'dog'] } }, name: { type: 'string' } },
  },
});

/** Serves the pets both as the body of the request and as that of the response. */
async function servePets(openapi: string, defaultMapping: string): Promise<ContractServer> {
  const content = { 'application/json': { schema: REF('Pet') } };
  const post = { requestBody: { required: true, content }, responses: { 200: { description: 'The pet.', content } } };
  const document = { openapi, paths: { '/pets': { post } }, components: { schemas: schemas(defaultMapping) } };
  return serveDocument(document, ({ body }: { body: object }) => ({ status: 200, body }));
}

const send = async (server: ContractServer, body: object): Promise<number> => {
  const headers = { 'Content-Type': 'application/json' };
  return (await server.request('POST', '/pets', { headers, body: JSON.stringify(body) })).status;
};

describe.each(['OtherPet', '#/components/schemas/OtherPet'])('a discriminator with the default %s', (name) => {
  let server: ContractServer;
  beforeAll(async () => {
    server = await servePets('3.2.0', name);
  });
  afterAll(() => server.close());

  test.each<[status: number, body: object]>([
    [200, { petType: 'Cat', lives: 7 }],
    [400, { petType: 'Cat', name: 'Tom' }],
    [200, { petType: 'dog', bark: true }],
    [400, { petType: 'dog', name: 'Rex' }],
    [200, { name: 'Nemo' }],
    [200, { petType: 'fish', name: 'Nemo' }],
    [200, { petType: 7, name: 'Nemo' }],
    [400, { petType: 'fish' }],
    [400, { lives: 7 }],
    [200, { petType: 'OtherPet', name: 'Nemo' }],
  ])('answers %d to %j', async (status, body) => {
    expect(await send(server, body)).toBe(status);
  });
});

test('an earlier version does not know the default: a value must name an alternative', async () => {
  const server = await servePets('3.1.0', 'OtherPet');
  expect(await send(server, { petType: 'fish', name: 'Nemo' })).toBe(400);
  expect(await send(server, { name: 'Nemo' })).toBe(200);
  await server.close();
});

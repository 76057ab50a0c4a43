import { documentText } from 'test-support/contract-files.ts';
import type { CompiledCase } from '../support/compile-cases.ts';

const int64 = { type: 'integer', format: 'int64' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const done = { 204: { summary: 'Done.' } };

/** A parameter that is the whole query. */
const whole = (required: boolean, mediaType: string): object => ({
  in: 'querystring',
  required,
  content: {
    [mediaType]: {
      schema: {
        type: 'object',
        required: ['id'],
        properties: {
          id: int64,
          limit: { type: 'integer', default: 10 },
          near: { type: 'object', properties: { id: int64 } },
        },
      },
    },
  },
});

const DOCUMENT = {
  openapi: '3.2.0',
  paths: {
    '/plants': {
      query: {
        operationId: 'findPlants',
        requestBody: { required: true, ...json({ type: 'object', required: ['near'], properties: { near: int64 } }) },
        responses: { 200: json({ type: 'array', items: int64 }) },
      },
    },
    '/plants/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
      get: { operationId: 'getPlant', responses: { 200: json(int64) } },
      additionalOperations: { LINK: { operationId: 'linkPlant', responses: done } },
    },
    '/form': {
      get: { operationId: 'form', parameters: [whole(true, 'application/x-www-form-urlencoded')], responses: done },
    },
    '/json': { get: { operationId: 'json', parameters: [whole(false, 'application/json')], responses: done } },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Pet' }) },
        responses: done,
      },
    },
  },
  webhooks: { found: { query: { requestBody: json(int64), responses: done } } },
  components: {
    schemas: {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Other' }],
        discriminator: { propertyName: 'kind', defaultMapping: 'Other' },
      },
      Cat: { type: 'object', required: ['kind', 'lives'], properties: { kind: { type: 'string' }, lives: int64 } },
      Other: { type: 'object', required: ['name'], properties: { kind: { type: 'string' }, name: { type: 'string' } } },
    },
    securitySchemes: { old: { type: 'http', scheme: 'bearer', deprecated: true } },
  },
};

const program = `import type { Handlers } from 'openapi-exact';
import type { Client } from 'openapi-exact/client';
import type { operations, paths, webhooks } from './openapi.d.ts';

export const handlers: Omit<Handlers<operations>, 'form' | 'json' | 'addPet'> = {
  findPlants: ({ body: { near } }) => ({ status: 200, body: [near + 1n] }),
  getPlant: ({ params: { id } }) => ({ status: 200, body: id }),
  linkPlant: ({ params: { id } }) => { void (id satisfies bigint); return { status: 204 }; },
};
export const wholes: Pick<Handlers<operations>, 'form' | 'json' | 'addPet'> = {
  form: ({ query }) => {
    void [query.id satisfies bigint, query.limit satisfies number, query.near?.id satisfies bigint | undefined];
    return { status: 204 };
  },
  json: ({ query }) => {
    // @ts-expect-error a query that may be missing
    void query.id;
    void [query?.id satisfies bigint | undefined, query?.limit satisfies number | undefined];
    return { status: 204 };
  },
  addPet: ({ body }) => {
    void ('name' in body ? body.name satisfies string : body.lives satisfies bigint);
    return { status: 204 };
  },
};
export type Found = webhooks['found']['query']['responses'][204];

export async function calls(client: Client<paths>): Promise<void> {
  const params = { path: { id: 1n } };
  const found: bigint[] = (await client.QUERY('/plants', { body: { near: 1n } })).data;
  const same: bigint[] = (await client.request('QUERY', '/plants', { body: { near: 1n } })).data;
  const plant: bigint = (await client.request('GET', '/plants/{id}', { params })).data;
  const nothing: undefined = (await client.request('LINK', '/plants/{id}', { params })).data;
  void [found, same, plant, nothing];
  await client.GET('/form', { params: { query: { id: 1n, near: { id: 2n } } } });
  await client.GET('/json');
  await client.POST('/pets', { body: { name: 'Rex' } });
  // @ts-expect-error a query that is required
  await client.GET('/form');
  // @ts-expect-error a query without what it must have
  await client.GET('/json', { params: { query: { limit: 1 } } });
  // @ts-expect-error a body without what it must have
  await client.QUERY('/plants', { body: {} });
  // @ts-expect-error a path that does not have the method
  await client.request('LINK', '/plants', { params });
  // @ts-expect-error a method that no path has
  await client.request('UNLINK', '/plants/{id}', { params });
  // @ts-expect-error a call without the parameters of the path
  await client.request('LINK', '/plants/{id}');
}
`;

export const VERSION_32: CompiledCase = { contract: documentText(DOCUMENT), program };

import type { ContractShapes } from '../../src/client.ts';

/** A bed; its id is an int64. */
interface Bed {
  id: bigint;
  width?: number;
}

interface Id {
  query?: never;
  header?: never;
  path: { id: bigint };
  cookie?: never;
}

interface Query {
  limit?: number;
  tags?: string[];
  piped?: string[];
  listed?: bigint[];
  size?: { width: number; depth: number };
  deep?: { width: number };
  json?: { id: bigint };
}

interface None {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

/** The types of a contract of garden beds, as `openapi-exact generate` writes them. */
export interface paths {
  '/beds': {
    post: {
      parameters: None;
      requestBody: { content: { 'application/merge-patch+json': Bed } };
      responses: { 201: { headers: Record<string, unknown>; content: { 'application/json': Bed } } };
    };
  };
  '/beds/{id}': {
    get: {
      parameters: Id;
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Bed } };
        default: { headers: Record<string, unknown>; content: { 'application/problem+json': { bed: bigint } } };
      };
    };
    delete: {
      parameters: Id;
      requestBody?: never;
      responses: { 204: { headers: Record<string, unknown>; content?: never } };
    };
    patch: {
      parameters: Id;
      requestBody?: { content: { 'multipart/form-data': { photo: string } } };
      responses: { default: { headers: Record<string, unknown>; content: { 'application/json': Bed } } };
    };
  };
  '/beds/{id}/photo': {
    get: {
      parameters: Id;
      requestBody?: never;
      responses: {
        200: { headers: Record<string, unknown>; content: { 'image/*': string; 'text/plain': string } };
      };
    };
    put: {
      parameters: Id;
      requestBody: { content: { 'image/png': string } };
      responses: { 200: { headers: Record<string, unknown>; content?: never } };
    };
  };
  '/beds/{id}?beta=true': {
    get: {
      parameters: Omit<Id, 'query'> & { query?: Query };
      requestBody?: never;
      responses: { 204: { headers: Record<string, unknown>; content?: never } };
    };
  };
}

const BED = { $ref: '#/components/schemas/Bed' };
const ID = { path: { id: { numbers: 'int64' } } } as const;

/** The table of the same contract. */
export const shapes: ContractShapes = {
  operations: {
    'POST /beds': {
      parameters: {},
      body: { 'application/merge-patch+json': BED },
      responses: { 201: { 'application/json': BED } },
    },
    'GET /beds/{id}': {
      parameters: ID,
      body: {},
      responses: {
        200: { 'application/json': BED },
        DEFAULT: { 'application/problem+json': { properties: { bed: { numbers: 'int64' } } } },
      },
    },
    'DELETE /beds/{id}': { parameters: ID, body: {}, responses: { 204: {} } },
    'PATCH /beds/{id}': {
      parameters: ID,
      body: { 'multipart/form-data': {} },
      responses: { DEFAULT: { 'application/json': BED } },
    },
    'GET /beds/{id}/photo': {
      parameters: ID,
      body: {},
      responses: { 200: { 'image/*': {}, 'text/plain': {} } },
    },
    'PUT /beds/{id}/photo': {
      parameters: ID,
      body: { 'image/png': {} },
      responses: { 200: {} },
    },
    'GET /beds/{id}?beta=true': {
      parameters: ID,
      styles: {
        query: {
          piped: { style: 'pipeDelimited', explode: false },
          listed: { style: 'form', explode: false },
          deep: { style: 'deepObject', explode: true },
          json: 'json',
        },
      },
      body: {},
      responses: { 204: {} },
    },
  },
  schemas: { '#/components/schemas/Bed': { properties: { id: { numbers: 'int64' } } } },
};

import { documentText } from 'test-support/contract-files.ts';
import type { CompiledCase } from '../support/compile-cases.ts';

const INT64 = { type: 'integer', format: 'int64' };
const TEXT = { type: 'string' };

const SCHEMAS = {
  conditional: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['sized', 'named'] } },
    if: { properties: { kind: { const: 'sized' } } },
    then: { required: ['size'], properties: { size: INT64 } },
    else: { required: ['name'], properties: { name: TEXT } },
  },
  dependent: {
    type: 'object',
    properties: { card: TEXT },
    dependentSchemas: { card: { required: ['address'], properties: { address: TEXT } } },
  },
  unevaluated: {
    type: 'object',
    allOf: [{ properties: { name: TEXT } }],
    unevaluatedProperties: INT64,
  },
  many: {
    type: 'object',
    allOf: Array.from({ length: 40 }, (_, index) => ({
      if: { required: [`a${index}`] },
      then: { properties: { [`b${index}`]: TEXT } },
    })),
  },
};

const paths = Object.fromEntries(
  Object.entries(SCHEMAS).map(([operationId, schema]): [string, object] => {
    const content = { 'application/json': { schema } };
    const responses = { 200: { description: 'The same.', content } };
    return [`/${operationId}`, { post: { operationId, requestBody: { required: true, content }, responses } }];
  }),
);

const program = `import type { Handlers } from 'openapi-exact';
import type { operations } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  conditional: ({ body }) => {
    const other: unknown = body.size ?? body.name;
    const sizes = { status: 200, body: { kind: 'sized', size: 1n } } as const;
    return other === undefined ? sizes : { status: 200, body: { kind: 'named', name: 'a' } };
  },
  dependent: ({ body }) => {
    if (body.card !== undefined) void (body.address satisfies string);
    return { status: 200, body: { card: 'a', address: 'b' } };
  },
  unevaluated: ({ body }) => {
    void (body.name satisfies string | undefined);
    void (body['other'] satisfies bigint | string | undefined);
    return { status: 200, body: { name: 'a', other: 1n } };
  },
  many: ({ body }) => {
    void (body.b39 satisfies unknown);
    return { status: 200, body: {} };
  },
};

export const wrong: Partial<Handlers<operations>>[] = [
  // @ts-expect-error neither outcome has what it requires
  { conditional: () => ({ status: 200, body: { kind: 'sized' } }) },
  // @ts-expect-error a number where then says int64, and no name
  { conditional: () => ({ status: 200, body: { kind: 'sized', size: 1 } }) },
  // @ts-expect-error a card without the address that depends on it
  { dependent: () => ({ status: 200, body: { card: 'a' } }) },
  // @ts-expect-error a number where unevaluatedProperties says int64
  { unevaluated: () => ({ status: 200, body: { name: 'a', other: 1 } }) },
];
`;

export const CONDITIONS: CompiledCase = { contract: documentText({ paths }), program };

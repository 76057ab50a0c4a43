import { documentText } from 'test-support/contract-files.ts';
import type { CompiledCase } from '../support/compile-cases.ts';

const AT = { type: 'string', format: 'date-time' };
const AMOUNT = { type: ['number', 'null'], format: 'decimal' };
const PLANT = {
  type: 'object',
  required: ['at', 'amount', 'list', 'all', 'either', 'event'],
  properties: {
    ...{ at: { $ref: '#/components/schemas/At' }, amount: AMOUNT, list: { type: 'array', items: AT } },
    all: {
      allOf: [{ type: 'object', required: ['at'], properties: { at: AT } }, { properties: { at: { type: 'string' } } }],
    },
    either: { anyOf: [AT, { type: 'string', maxLength: 3 }, { type: 'integer' }] },
    event: {
      oneOf: ['planted', 'sold'].map((kind) => ({
        type: 'object',
        required: ['kind', 'value'],
        properties: { kind: { const: kind }, value: kind === 'planted' ? AT : AMOUNT },
      })),
    },
    payee: { type: 'string', format: 'iban' },
    child: { $ref: '#/components/schemas/Plant' },
  },
};
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } };
const parameters = [{ name: 'since', in: 'query', required: true, schema: AT }];
const post = {
  operationId: 'plant',
  parameters,
  requestBody: { content },
  responses: { 200: { description: 'It.', content } },
};
const document = { paths: { '/plants': { post } }, components: { schemas: { At: AT, Plant: PLANT } } };

const program = `import type { components, formats, operations } from './openapi.d.ts';
type Plant = components['schemas']['Plant'];
declare const plant: Plant;
export const dates: Date[] = [plant.at, ...plant.list, plant.all.at, ...(plant.child ? [plant.child.at] : [])];
export const amount: URL | null = plant.amount;
export const either: Date | string | number = plant.either;
export const value: Date | URL | null = plant.event.kind === 'planted' ? plant.event.value : plant.event.value;
export const since: Date = (null as unknown as operations['plant']).parameters.query.since;
export const named: formats['date-time'] = new Date();
export const right: Plant = { at: new Date(), amount: null, list: [], all: { at: new Date() }, either: 'abc', event: { kind: 'planted', value: new Date() } };
// @ts-expect-error a text for a Date
export const text: Plant['at'] = '2024';
// @ts-expect-error a number for a decimal
export const number: Plant['amount'] = 5;
// @ts-expect-error a Date may be there
export const short: string | number = plant.either;
`;

export const FORMATS: CompiledCase = {
  contract: documentText(document),
  formats: ['date-time=Date', 'decimal=URL:node:url', 'iban'],
  program,
};

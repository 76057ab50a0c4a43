import { INT64, ref } from './schema-rows.ts';

/** Schemas that refer to each other. */
export const COMPONENTS = {
  Node: { type: 'object', required: ['id'], properties: { id: INT64, next: ref('Node') } },
  Circle: { type: 'object', required: ['kind', 'size'], properties: { kind: { type: 'string' }, size: INT64 } },
  Square: {
    type: 'object',
    required: ['kind', 'size'],
    properties: { kind: { type: 'string' }, size: { type: 'number' } },
  },
  Pet: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  },
  Cat: { allOf: [ref('Pet'), { type: 'object', required: ['lives'], properties: { lives: INT64 } }] },
  Meowing: {
    type: 'object',
    required: ['kind', 'meow'],
    properties: { kind: { type: 'string' }, meow: { type: 'boolean' } },
  },
  Barking: {
    type: 'object',
    required: ['kind', 'bark'],
    properties: { kind: { type: 'string' }, bark: { type: 'boolean' }, key: ref('Key') },
  },
  Id: INT64,
  Anything: true,
  Nothing: false,
  Key: { ...INT64, readOnly: true },
  Secret: { type: 'string', writeOnly: true },
  Keyed: { required: ['id', 'name'], properties: { id: ref('Key'), name: { type: 'string' } }, type: 'object' },
  Named: { type: 'object', required: ['id', 'name'], properties: { name: { type: 'string' } } },
  Either: {
    oneOf: [
      { type: 'object', required: ['t', 'id'], properties: { t: { const: 'a' }, id: INT64 } },
      { type: 'object', required: ['t', 'id'], properties: { t: { const: 'b' }, id: { type: 'number' } } },
    ],
  },
  Vehicle: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' } },
    oneOf: [ref('Car'), ref('Bike')],
    discriminator: { propertyName: 'kind', mapping: { car: '#/components/schemas/Car' } },
  },
  Car: { allOf: [ref('Vehicle'), { properties: { seats: INT64 } }] },
  Bike: { allOf: [ref('Vehicle'), { properties: { bell: { type: 'boolean' } } }] },
  Preset: { type: 'object', properties: { open: { type: 'boolean', default: true }, next: ref('Preset') } },
  Ended: { type: ['object', 'null'], properties: { next: { allOf: [ref('Ended')], default: null } } },
  Loop: { allOf: [ref('Loop'), { required: ['id'], properties: { id: INT64 } }] },
  Owned: { required: ['owned', 'weight'], properties: { owned: { type: 'boolean' }, weight: INT64 } },
  Leased: { required: ['owned'], properties: { owned: { type: 'boolean' }, level: { type: 'integer' } } },
  Tree: {
    oneOf: [
      { type: 'object', properties: { child: ref('Tree'), kind: { const: 'a' } }, required: ['kind'] },
      { type: 'object', properties: { child: ref('Tree'), kind: { const: 'b' } }, required: ['kind'] },
    ],
  },
  Odd: { properties: { 'a/b~c%': { $defs: { x: { type: 'string', maxLength: 2 } }, type: 'integer' } } },
};

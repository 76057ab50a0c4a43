import { expect, test } from '@jest/globals';
import type { Handlers } from '../../src/contract/types.ts';
import type { paths } from '../../generated/openapi.d.ts';

/**
 * The compiler is the test here: `npm test` type-checks this file, and an expectation of an error
 * that does not come is an error itself.
 */
type PlantHandlers = Handlers<{ deletePlant: paths['/plants/{id}']['delete'] }>;
const notFound = { error: 40401, message: 'There is no plant with the id 1.' };

test('handlers that keep the contract compile', () => {
  const handlers: PlantHandlers = {
    deletePlant: ({ params: { id } }) => {
      const exact: bigint = id;
      return exact === 0n ? { status: 204 } : { status: 404, body: notFound };
    },
  };
  expect(Object.keys(handlers)).toEqual(['deletePlant']);
});

test('handlers that break the contract do not compile', () => {
  // @ts-expect-error an operation without handler
  const missing: PlantHandlers = {};

  const unknown: PlantHandlers = {
    deletePlant: () => ({ status: 204 }),
    // @ts-expect-error a handler for an unknown operation
    waterPlant: () => ({ status: 204 }),
  };

  // @ts-expect-error an undeclared status
  const undeclared: PlantHandlers = { deletePlant: () => ({ status: 200 }) };

  // @ts-expect-error a body of the wrong shape
  const shape: PlantHandlers = { deletePlant: () => ({ status: 404, body: { error: '40401', message: 'Gone.' } }) };

  // @ts-expect-error a body without a required field
  const incomplete: PlantHandlers = { deletePlant: () => ({ status: 404, body: { error: 40401 } }) };

  // @ts-expect-error a declared body that is missing
  const empty: PlantHandlers = { deletePlant: () => ({ status: 404 }) };

  const emptyBesideOthers: PlantHandlers = {
    // @ts-expect-error a declared body that is missing in one of several answers
    deletePlant: async ({ params: { id } }) => {
      if ((await Promise.resolve(id)) === 0n) return { status: 204 };
      if (id === 1n) return { status: 409, body: notFound };
      return { status: 404 };
    },
  };

  const fullBesideOthers: PlantHandlers = {
    // @ts-expect-error a body on 204 in one of several answers
    deletePlant: async ({ params: { id } }) => {
      if ((await Promise.resolve(id)) === 0n) return { status: 204, body: notFound };
      return { status: 404, body: notFound };
    },
  };

  // @ts-expect-error a 204 with a body
  const full: PlantHandlers = { deletePlant: () => ({ status: 204, body: notFound }) };

  const withBody = { status: 204, body: notFound } as const;
  // @ts-expect-error a 204 with a body, made elsewhere
  const fullFromElsewhere: PlantHandlers = { deletePlant: () => withBody };

  // @ts-expect-error a required header that is missing
  const headless: PlantHandlers = { deletePlant: () => ({ status: 503, body: notFound }) };

  const rounding: PlantHandlers = {
    deletePlant: ({ params: { id } }) => {
      // @ts-expect-error treating the id as a number
      const number: number = id;
      // @ts-expect-error calculating with the id as with a number
      return Math.abs(id) === number ? { status: 204 } : { status: 204 };
    },
  };

  const wrongParameter: PlantHandlers = {
    deletePlant: (request) => {
      // @ts-expect-error a parameter that the contract does not declare
      return request.params.plantId === 1n ? { status: 204 } : { status: 204 };
    },
  };

  expect([missing, unknown, undeclared, shape, incomplete, empty, full, fullFromElsewhere]).toHaveLength(8);
  expect([emptyBesideOthers, fullBesideOthers, headless, rounding, wrongParameter]).toHaveLength(5);
});

import { expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import type { ServerSentEvent } from '../../src/contract/event-stream.ts';
import type { Handlers, OperationRequest } from '../../src/contract/types.ts';
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

/** Operations as openapi-typescript describes them. */
interface Operations {
  read: {
    parameters: { query?: never; header?: never; path?: never; cookie?: { session?: string } };
    requestBody?: never;
    responses: {
      200: {
        headers: Record<string, unknown>;
        content: {
          'application/json': { id: bigint };
          'application/problem+json; v=1': { title: string };
          'application/xml': { id: bigint };
          'text/csv': string;
          'text/event-stream': string;
          'application/pdf': string;
          'image/*': string;
        };
      };
      204: { headers: Record<string, unknown>; content: { 'application/json': { id: bigint } } };
      '4XX': { headers: Record<string, unknown>; content: { 'application/problem+json': { title: string } } };
      default: { headers: Record<string, unknown>; content: { 'application/xml': { id: bigint } } };
    };
  };
  write: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody: {
      content: {
        'application/json': { id: bigint };
        'application/xml': { id: bigint };
        'application/x-www-form-urlencoded': { name: string };
        'text/plain': string;
        'application/octet-stream': string;
        'image/*': string;
        'multipart/form-data': { id: bigint; tags?: string[]; file: string };
      };
    };
    responses: { 200: { headers: Record<string, unknown>; content: { '*/*': { id: bigint } } } };
  };
}

type Read = Handlers<Pick<Operations, 'read'>>;
type Write = Handlers<Pick<Operations, 'write'>>;

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(''));
}
async function* events(): AsyncGenerator<ServerSentEvent | string> {
  yield await Promise.resolve({ event: 'plant', data: { id: 1n } });
}

test('each media type has its own body, and a wrong one does not compile', () => {
  const right: Read[] = [
    { read: () => ({ status: 200, contentType: 'application/json', body: { id: 1n } }) },
    { read: () => ({ status: 200, contentType: 'application/problem+json; v=1', body: { title: '' } }) },
    { read: () => ({ status: 200, contentType: 'text/csv', body: 'a,b' }) },
    { read: () => ({ status: 200, contentType: 'text/event-stream', body: events() }) },
    { read: () => ({ status: 200, contentType: 'application/pdf', body: Buffer.from('') }) },
    { read: () => ({ status: 200, contentType: 'application/pdf', body: Readable.from(bytes()) }) },
    { read: () => ({ status: 200, contentType: 'application/pdf', body: ReadableStream.from(bytes()) }) },
    { read: () => ({ status: 200, contentType: 'image/png', body: bytes() }) },
    { read: () => ({ status: 204 }) },
    { read: () => ({ status: 404, body: { title: '' } }) },
    { read: () => ({ status: 500, body: '<error/>' }) },
    { read: ({ cookies }) => ({ status: 404, body: { title: cookies.session ?? '' } }) },
  ];

  // @ts-expect-error no media type where there are several
  const noType: Read = { read: () => ({ status: 200, body: { id: 1n } }) };
  // @ts-expect-error a number for a text
  const number: Read = { read: () => ({ status: 200, contentType: 'text/csv', body: 7 }) };
  // @ts-expect-error a text for events
  const text: Read = { read: () => ({ status: 200, contentType: 'text/event-stream', body: 'data' }) };
  const wrongEvents = Readable.from([]) as AsyncIterable<{ dat: number }>;
  // @ts-expect-error events with another field
  const event: Read = { read: () => ({ status: 200, contentType: 'text/event-stream', body: wrongEvents }) };
  // @ts-expect-error the body of one type beside another type
  const other: Read = { read: () => ({ status: 200, contentType: 'application/json', body: { title: '' } }) };
  // @ts-expect-error a value for bytes
  const value: Read = { read: () => ({ status: 200, contentType: 'application/pdf', body: { id: 1n } }) };
  // @ts-expect-error a body for a status that has none
  const none: Read = { read: () => ({ status: 204, body: { id: 1n } }) };
  // @ts-expect-error a cookie that is not declared
  const cookie: Read = { read: ({ cookies }) => ({ status: 404, body: { title: String(cookies.other) } }) };
  expect([right.length, noType, number, text, event, other, value, none, cookie]).toHaveLength(9);
});

test('the body of a request is what its media type makes it', () => {
  const read = async (request: OperationRequest<Operations['write']>): Promise<unknown> => {
    switch (request.contentType) {
      case 'application/json': {
        const id: bigint = request.body.id;
        return id;
      }
      case 'application/x-www-form-urlencoded':
        return request.body.name;
      case 'text/plain': {
        // @ts-expect-error a text is not a stream
        const stream: Readable = request.body;
        return stream;
      }
      case 'multipart/form-data':
        for await (const part of request.body) {
          if (part.name === 'id' && part.body === undefined) return part.value satisfies bigint;
          if (part.name === 'tags' && part.body === undefined) return part.value satisfies string;
          if (part.body !== undefined) return part.body satisfies Readable;
          // @ts-expect-error a part that is not declared
          return part.name satisfies 'other';
        }
        return 0;
      // @ts-expect-error XML is not served beside JSON
      case 'application/xml':
        return 0;
      default:
        return 1;
    }
  };
  const handlers: Write = {
    write: async (request) => {
      await read(request);
      return { status: 200, body: { id: 1n } };
    },
  };
  // @ts-expect-error a body that the range does not declare
  const wrong: Write = { write: () => ({ status: 200, body: { title: '' } }) };
  expect([handlers, wrong]).toHaveLength(2);
});

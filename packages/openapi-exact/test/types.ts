import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { RequestError, type RequestFault } from '../src/errors/errors.ts';
import { Strategy } from 'passport';
import { createClient, type ClientOptions } from '../src/client.ts';
import type { ServerSentEvent } from '../src/response/event-stream.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { exactRequest, validated } from '../src/server/validated.ts';
import { passportVerifier } from '../src/security/passport-verifier.ts';
import type { Verifiers } from '../src/security/verifier.ts';
import type { Checks, Handlers, OperationRequest, OperationResponse } from '../src/types.ts';

/**
 * The compiler is the test here, which `npm test` runs: an expectation of an error that does not
 * come is an error itself. Nothing imports this file.
 */
type PlantHandlers = Handlers<{ deletePlant: DeletePlant }>;

/** An operation as openapi-typescript describes it. */
interface DeletePlant {
  parameters: { query?: never; header?: never; path: { id: bigint }; cookie?: never };
  requestBody?: never;
  responses: {
    204: { headers: Record<string, unknown>; content?: never };
    404: { headers: Record<string, unknown>; content: { 'application/json': { error: number; message: string } } };
    409: { headers: Record<string, unknown>; content: { 'application/json': { error: number; message: string } } };
    503: {
      headers: { 'Retry-After': number; [name: string]: unknown };
      content: { 'application/json': { error: number; message: string } };
    };
  };
}

const notFound = { error: 40401, message: 'There is no plant with the id 1.' };

// Handlers that break the contract do not compile.
const withBody = { status: 204, body: notFound } as const;
export const wrongPlant: PlantHandlers[] = [
  // @ts-expect-error a handler for an unknown operation
  { deletePlant: () => ({ status: 204 }), waterPlant: () => ({ status: 204 }) },
  // @ts-expect-error an undeclared status
  { deletePlant: () => ({ status: 200 }) },
  // @ts-expect-error a body of the wrong shape
  { deletePlant: () => ({ status: 404, body: { error: '40401', message: 'Gone.' } }) },
  // @ts-expect-error a declared body that is missing
  { deletePlant: () => ({ status: 404 }) },
  {
    // @ts-expect-error a declared body that is missing in one of several answers
    deletePlant: async ({ params: { id } }) => {
      if ((await Promise.resolve(id)) === 0n) return { status: 204 };
      return id === 1n ? { status: 409, body: notFound } : { status: 404 };
    },
  },
  // @ts-expect-error a 204 with a body
  { deletePlant: () => ({ status: 204, body: notFound }) },
  // @ts-expect-error a 204 with a body, made elsewhere
  { deletePlant: () => withBody },
  // @ts-expect-error a required header that is missing
  { deletePlant: () => ({ status: 503, body: notFound }) },
  // @ts-expect-error a misspelt key, which TypeScript itself allows in an arrow function's result
  { deletePlant: () => ({ status: 204, header: { 'X-Colour': 'red' } }) },
  // @ts-expect-error a misspelt key of an async function
  { deletePlant: () => Promise.resolve({ status: 204, contenttype: 'application/json' }) },
  // @ts-expect-error any excess key where the function names its type
  { deletePlant: (): OperationResponse<DeletePlant> => ({ status: 204, colour: 'red' }) },
  // @ts-expect-error calculating with the id as with a number
  { deletePlant: ({ params: { id } }) => (Math.abs(id) === 0 ? { status: 204 } : { status: 204 }) },
  // @ts-expect-error a parameter that the contract does not declare
  { deletePlant: ({ params }) => (params.plantId === 1n ? { status: 204 } : { status: 204 }) },
];

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
        'text/csv': { id: bigint };
        'text/html': bigint;
        'text/markdown': unknown;
        'application/octet-stream': string;
        'image/*': string;
        'multipart/form-data': { id: bigint; tags?: string[]; file: string };
      };
    };
    responses: { 200: { headers: Record<string, unknown>; content: { '*/*': { id: bigint } } } };
  };
  find: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    responses: {
      200: { content: { 'application/json': { id: bigint }; 'application/hal+json; v=1': { id: bigint } } };
      201: { content: { 'application/json': { id: bigint }; 'application/hal+json': { id: bigint; name?: string } } };
      202: { content: { 'text/plain': string; 'text/csv': string } };
      203: { content: { 'image/svg+xml': string } };
    };
  };
}

type Read = Handlers<Pick<Operations, 'read'>>;
type Write = Handlers<Pick<Operations, 'write'>>;
type Find = Handlers<Pick<Operations, 'find'>>;

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(''));
}
async function* events(): AsyncGenerator<ServerSentEvent | string> {
  yield await Promise.resolve({ event: 'plant', data: { id: 1n } });
}

// Each media type has its own body, and a wrong one does not compile.
export const rightRead: Read[] = [
  { read: () => ({ status: 200, contentType: 'application/json', body: { id: 1n } }) },
  { read: () => ({ status: 200, contentType: 'text/event-stream', body: events() }) },
  { read: () => ({ status: 200, contentType: 'application/pdf', body: Readable.from(bytes()) }) },
  { read: () => ({ status: 200, contentType: 'application/pdf', body: ReadableStream.from(bytes()) }) },
  { read: () => ({ status: 200, contentType: 'image/png', body: bytes() }) },
  { read: () => ({ status: 404, body: { title: '' } }) },
  { read: () => ({ status: 500, body: '<error/>' }) },
  { read: ({ cookies }) => ({ status: 404, body: { title: cookies.session ?? '' } }) },
];

const wrongEvents = Readable.from([]) as AsyncIterable<{ dat: number }>;
export const wrongRead: Read[] = [
  // @ts-expect-error no media type where there are several
  { read: () => ({ status: 200, body: { id: 1n } }) },
  // @ts-expect-error a number for a text
  { read: () => ({ status: 200, contentType: 'text/csv', body: 7 }) },
  // @ts-expect-error a text for events
  { read: () => ({ status: 200, contentType: 'text/event-stream', body: 'data' }) },
  // @ts-expect-error events with another field
  { read: () => ({ status: 200, contentType: 'text/event-stream', body: wrongEvents }) },
  // @ts-expect-error the body of one type beside another type
  { read: () => ({ status: 200, contentType: 'application/json', body: { title: '' } }) },
  // @ts-expect-error a value for bytes
  { read: () => ({ status: 200, contentType: 'application/pdf', body: { id: 1n } }) },
  // @ts-expect-error a body for a status that has none
  { read: () => ({ status: 204, body: { id: 1n } }) },
  // @ts-expect-error a cookie that is not declared
  { read: ({ cookies }) => ({ status: 404, body: { title: String(cookies.other) } }) },
];

// The client may choose between media types of JSON with the same type only.
export const rightFind: Find[] = [
  { find: () => ({ status: 200, body: { id: 1n } }) },
  { find: () => ({ status: 200, contentType: 'application/hal+json; v=1', body: { id: 1n } }) },
  { find: () => ({ status: 203, body: '<svg/>' }) },
];
export const wrongFind: Find[] = [
  // @ts-expect-error JSON of two types
  { find: () => ({ status: 201, body: { id: 1n } }) },
  // @ts-expect-error texts of two media types
  { find: () => ({ status: 202, body: 'a,b' }) },
  // @ts-expect-error a media type that is not declared
  { find: () => ({ status: 200, contentType: 'application/xml', body: { id: 1n } }) },
];

// The body of a request is what its media type makes it.
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
    case 'text/csv':
    case 'text/markdown':
      return request.body satisfies string;
    case 'text/html':
      return request.body satisfies bigint;
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
export const handlersWrite: Write = {
  write: async (request) => {
    await read(request);
    return { status: 200, body: { id: 1n } };
  },
};
// @ts-expect-error a body that the range does not declare
export const wrongWrite: Write = { write: () => ({ status: 200, body: { title: '' } }) };

interface Statuses {
  ranged: {
    parameters: object;
    responses: {
      200: { headers: object; content: { 'application/json': { id: bigint } } };
      204: { headers: object; content?: never };
      404: { headers: object; content: { 'application/json': { missing: string } } };
      '4XX': { headers: object; content: { 'application/json': { code: number } } };
      default: { headers: object; content: { 'application/json': { failure?: string } } };
    };
  };
}

// A range and default stand for the statuses that are not declared more exactly.
type Answer = ReturnType<Handlers<Statuses>['ranged']>;
export const rightStatus: Answer[] = [
  { status: 422, body: { code: 5 } },
  { status: 503, body: { failure: 'b' } },
];
export const wrongStatus: Answer[] = [
  // @ts-expect-error the body of the range for a status of its own
  { status: 404, body: { code: 5 } },
  // @ts-expect-error the body of the range for another range
  { status: 500, body: { code: 5 } },
  // @ts-expect-error the body of default for a status of the range
  { status: 422, body: { failure: 'b' } },
  // @ts-expect-error a status that ends no request
  { status: 102, body: { failure: 'b' } },
  // @ts-expect-error a success that default alone describes, where another is declared
  { status: 201, body: { failure: 'b' } },
  // @ts-expect-error a redirection that default alone describes
  { status: 302, body: { failure: 'b' } },
];

interface DefaultOnly {
  any: {
    parameters: object;
    responses: {
      404: { headers: object; content?: never };
      default: { headers: object; content: { 'application/json': { id: bigint } } };
    };
  };
}

// Without another success, default describes it.
export const anyStatus: ReturnType<Handlers<DefaultOnly>['any']>[] = [
  { status: 200, body: { id: 1n } },
  { status: 404 },
];

type Tree = { name?: string; children?: Tree[] } | Tree[];

interface Optional {
  read: {
    parameters: object;
    responses: {
      200: {
        headers: { ETag?: string; [name: string]: unknown };
        content: {
          'application/json': {
            id: bigint;
            name?: string;
            tags?: { label?: string }[];
            pair?: [number, { size?: number }?];
            tree?: Tree;
            free?: Record<string, unknown>;
          };
        };
      };
    };
  };
}

// Optional properties may be undefined, at any depth, and lists may be read-only.
const missing = undefined as string | undefined;
export const optional: OperationResponse<Optional['read']>[] = [
  {
    status: 200,
    headers: { ETag: missing },
    contentType: undefined,
    body: { id: 1n, name: missing, free: { a: missing } },
  },
  {
    status: 200,
    headers: undefined,
    body: { id: 1n, tags: [{ label: missing }] as const, pair: [1, { size: undefined }] },
  },
  { status: 200, body: { id: 1n, tree: [{ name: missing, children: [{ name: missing }] }] } },
];
export const wrongOptional: Handlers<Optional>[] = [
  // @ts-expect-error a required property that is undefined
  { read: () => ({ status: 200, body: { id: undefined } }) },
  // @ts-expect-error an item that is undefined
  { read: () => ({ status: 200, body: { id: 1n, tags: [undefined] } }) },
  // @ts-expect-error an optional property of another type
  { read: () => ({ status: 200, body: { id: 1n, tags: [{ label: 1 }] } }) },
];

interface Defaults {
  list: {
    parameters: { query?: { limit?: number; after?: string } };
    requestBody: { content: { 'application/json': { size?: number; name?: string } } };
    responses: { 204: { headers: object; content?: never } };
    filled: { query: { names: 'limit' }; body: { 'application/json': { names: 'size' } } };
  };
}

// A handler always gets what a default fills in, and may lack what has none.
export const filled: Handlers<Defaults> = {
  list: ({ query, body }) => {
    void [query.limit satisfies number, body.size satisfies number];
    // @ts-expect-error a parameter without a default
    void (query.after satisfies string);
    // @ts-expect-error a property without a default
    void (body.name satisfies string);
    return { status: 204 };
  },
};

interface Nested {
  put: {
    parameters: object;
    requestBody: { content: { 'application/json': { list?: { open?: boolean; name?: string }[] } } };
    responses: { 204: { headers: object; content?: never } };
    filled: { body: { 'application/json': { properties: { list: { items: { names: 'open' } } } } } };
  };
}

// Inside of objects and lists too.
export const nested: Handlers<Nested> = {
  put: ({ body: { list } }) => {
    for (const { open, name } of list ?? []) {
      void (open satisfies boolean);
      // @ts-expect-error a property without a default
      void (name satisfies string);
    }
    return { status: 204 };
  },
};

interface Login {
  login: {
    parameters: object;
    requestBody: { content: { 'Application/JSON': { name: string }; 'Text/CSV; header=present': string } };
    responses: {
      200: {
        headers: { 'Set-Cookie': string; [name: string]: unknown };
        content: { 'Application/JSON': { id: bigint } };
      };
    };
  };
}

// A response sets one cookie or several, and media types are the same in capitals.
export const login: Handlers<Login>[] = [
  { login: () => ({ status: 200, headers: { 'Set-Cookie': 'a=1' }, body: { id: 1n } }) },
  { login: () => ({ status: 200, headers: { 'Set-Cookie': ['a=1', 'b=2'] }, body: { id: 1n } }) },
  {
    login: ({ contentType, body }) => {
      const name = contentType === 'Application/JSON' ? body.name : body;
      return { status: 200, headers: { 'Set-Cookie': name satisfies string }, body: { id: 1n } };
    },
  },
  // @ts-expect-error a cookie that is a number
  { login: () => ({ status: 200, headers: { 'Set-Cookie': [1] }, body: { id: 1n } }) },
];

interface Headers {
  read: {
    parameters: object;
    responses: {
      200: { headers: { ETag: string; 'content-type': string; [name: string]: unknown }; content?: never };
      204: { headers: Record<string, unknown>; content?: never };
    };
  };
}

// Some headers need no declaration, and OpenAPI ignores that of Content-Type.
export const rightHeaders: OperationResponse<Headers['read']>[] = [
  { status: 200, headers: { ETag: '"a"', 'Cache-Control': 'max-age=60' } },
  { status: 204, headers: { 'Content-Security-Policy': "default-src 'none'" } },
];
export const wrongHeaders: Handlers<Headers>[] = [
  // @ts-expect-error a required header that is missing
  { read: () => ({ status: 200, headers: { 'Cache-Control': 'max-age=60' } }) },
  // @ts-expect-error a header that is not declared
  { read: () => ({ status: 204, headers: { ETag: '"a"' } }) },
];

interface Multipart {
  related: {
    parameters: object;
    requestBody: { content: { 'multipart/related': { json: { id: bigint }; file: string } } };
    responses: {
      200: { headers: object; content: { 'application/json': string; 'multipart/related': string } };
    };
  };
  form: {
    parameters: object;
    requestBody: { content: { 'multipart/form-data': { file: string } } };
    responses: { 204: { headers: object; content?: never } };
  };
}

// Only a form requires that its parts have names.
export const multipart: Handlers<Multipart> = {
  related: async ({ body }) => {
    for await (const part of body) {
      if (part.name === '') void (part.contentType satisfies string);
      if (part.name === 'json' && part.value !== undefined) void (part.value.id satisfies bigint);
    }
    return { status: 200, contentType: 'multipart/related; boundary=b', body: new Uint8Array() };
  },
  form: async ({ body }) => {
    for await (const part of body) void (part.name satisfies 'file');
    return { status: 204 };
  },
};

// Without all handlers, those that are there have their types, and validated stands for any.
export const someHandlers: MiddlewareOptions['handlers'] = {
  read: () => ({ status: 204 }),
} satisfies Partial<Handlers<Headers & Login>>;
export const validatedHandlers: Handlers<Headers & Login> = { read: validated, login: validated };
export function exactRoute(request: IncomingMessage): bigint {
  void (exactRequest(request).params satisfies Readonly<Record<string, unknown>>);
  // @ts-expect-error a parameter that the operation does not declare
  void exactRequest<DeletePlant>(request).params.name;
  return exactRequest<DeletePlant>(request).params.id;
}

/** Who a client is, to this test. */
interface User {
  readonly name: string;
  readonly tenant: bigint;
}

interface Secured {
  closed: { parameters: object; security: 'required'; responses: { 204: { headers: object; content?: never } } };
  open: { parameters: object; responses: { 204: { headers: object; content?: never } } };
}

// The principal is the author's, and certain where the contract demands credentials.
export const secured: Handlers<Secured, User, { readonly rows: number }> = {
  closed: ({ principal, context }) => {
    void (principal.tenant satisfies bigint);
    void (context.rows satisfies number);
    return { status: 204 };
  },
  open: ({ principal, context: { rows } }) => {
    // @ts-expect-error an anonymous request
    void principal.tenant;
    return principal?.tenant === BigInt(rows) ? { status: 204 } : { status: 204 };
  },
};
export const securedChecks: Checks<Secured, User> = {
  closed: ({ principal, context }) => (principal.tenant === 1n ? (context satisfies undefined) : undefined),
};
export const wrongSecured: Handlers<Secured>[] = [
  // @ts-expect-error a property that a principal need not have
  { closed: ({ principal }) => (principal.tenant === 1n ? { status: 204 } : { status: 204 }), open: validated },
  // @ts-expect-error no context
  { closed: ({ context }) => (context.rows === 1 ? { status: 204 } : { status: 204 }), open: validated },
];
export const verifiers: Verifiers<{ token: 'bearer'; strategy: 'bearer' }, User> = {
  token: () => ({ name: 'anna', tenant: 1n }),
  strategy: passportVerifier(new Strategy()),
};
// @ts-expect-error a principal that is not a User
export const wrongVerifiers: Verifiers<{ token: 'bearer' }, User> = { token: () => ({ name: 'anna' }) };
// An operation has its id, tags, method, path and extensions.
export const contextOption: MiddlewareOptions['context'] = async (request, response, operation) => {
  void [operation.id satisfies string, operation.tags satisfies readonly string[], operation.path satisfies string];
  void [operation.method satisfies string, operation['x-role'] satisfies unknown];
  // @ts-expect-error no extension
  void operation.role;
  return await Promise.resolve([request.ip, response.locals]);
};

// The bytes of a body are there where they are kept, and nowhere else.
export const kept: Handlers<Login & Defaults, User, undefined, 'login'> = {
  login: ({ bytes }) => ({ status: 200, headers: { 'Set-Cookie': bytes.toString('hex') }, body: { id: 1n } }),
  list: (request) => {
    // @ts-expect-error an operation whose bytes are not kept
    void request.bytes;
    return { status: 204 };
  },
};

// What only logs returns nothing.
const log = (entry: unknown): void => {
  console.error(entry);
};
// Faults are for programs: 422 instead of 400 keeps them.
export const unprocessable: MiddlewareOptions['onError'] = ({ refusal: { reason, message, faults } }) =>
  reason === 'invalidBody' ? new RequestError(reason, message, { status: 422, faults }) : undefined;
export const pointersOf: MiddlewareOptions['errorBody'] = ({ faults }) => {
  const pointers = faults.map(({ in: place, pointer, keyword, message }): Record<RequestFaultKey, string> => {
    return { in: place, pointer, keyword, message };
  });
  return { contentType: 'application/json', body: { pointers } };
};
type RequestFaultKey = keyof RequestFault;
// @ts-expect-error a fault without a keyword
export const noKeyword: RequestFault = { in: 'body', pointer: '/a', message: 'No.' };
// @ts-expect-error a place that requests do not have
export const noPlace: RequestFault = { in: 'form', pointer: '/a', keyword: 'type', message: 'No.' };
export const ignoring: MiddlewareOptions['undeclaredQuery'] = 'ignore';
// @ts-expect-error undeclared query parameters are refused or ignored
export const stripping: MiddlewareOptions['undeclaredQuery'] = 'strip';
export const stripped: MiddlewareOptions['undeclaredProperties'] = 'strip';
// @ts-expect-error -- responses are sent or stripped
export const refusing: MiddlewareOptions['undeclaredProperties'] = 'refuse';
export const logs: MiddlewareOptions['onError'] = log;
// @ts-expect-error a promise, which comes too late
export const logsLater: MiddlewareOptions['onError'] = () => Promise.resolve();

// An undefined option is its default: it compiles where an option may be left out.
const clientOptions: ClientOptions = {
  shapes: { operations: {}, schemas: {} },
  baseUrl: 'http://127.0.0.1',
  token: undefined,
  headers: { 'X-Key': undefined },
  credentials: undefined,
  timeout: undefined,
  attemptTimeout: undefined,
  retries: undefined,
  maxResponseBytes: undefined,
  describeError: undefined,
};
export const calledWithUndefined = createClient<{ '/plants/{id}': { delete: DeletePlant } }>(clientOptions).DELETE(
  '/plants/{id}',
  {
    params: { path: { id: 1n } },
    body: undefined,
    contentType: undefined,
    signal: undefined,
    timeout: undefined,
  },
);
export const undefinedOptions: Omit<MiddlewareOptions, 'contract' | 'handlers'> = {
  verifiers: undefined,
  checks: undefined,
  unhandled: undefined,
  context: undefined,
  keepBytes: undefined,
  fallthrough: undefined,
  errorBody: undefined,
  onError: undefined,
  onChange: undefined,
  guard: undefined,
  realm: undefined,
  bodyLimits: {
    json: undefined,
    buffered: undefined,
    streamed: undefined,
    parts: undefined,
    values: undefined,
    memory: undefined,
  },
  requestId: undefined,
  undeclaredQuery: undefined,
  undeclaredProperties: undefined,
  timeout: () => undefined,
  sendsContinue: undefined,
};

// The places of a tuple keep their types, whatever may follow them.
interface Tuples {
  list: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: Record<string, unknown>; content: { 'application/json': [number, string, ...boolean[]] } };
    };
  };
}
export const tuple: OperationResponse<Tuples['list']> = { status: 200, body: [1, 'a', true] as const };
// @ts-expect-error the second place is a text
export const wrongPlace: OperationResponse<Tuples['list']> = { status: 200, body: [1, 1] };
// @ts-expect-error what follows is true or false
export const wrongRest: OperationResponse<Tuples['list']> = { status: 200, body: [1, 'a', 2] };

interface Dated {
  find: {
    parameters: { query?: { since?: Date }; header?: never; path: { at: Date }; cookie?: never };
    requestBody: { content: { 'application/json': { at: Date; list?: Date[] }; 'text/plain': Date } };
    responses: {
      200: {
        headers: { 'Last-At'?: Date; [name: string]: unknown };
        content: { 'application/json': { at: Date; note?: string }; 'text/plain': Date };
      };
    };
  };
}
const now = new Date();
const contentType = 'application/json';
export const rightDates: Handlers<Dated>[] = [
  { find: ({ params: { at }, query }) => ({ status: 200, contentType, body: { at: query.since ?? at } }) },
  { find: () => ({ status: 200, contentType, headers: { 'Last-At': now }, body: { at: now, note: undefined } }) },
  { find: (request) => ({ status: 200, contentType: 'text/plain', body: textDate(request) }) },
];
function textDate(request: OperationRequest<Dated['find']>): Date {
  return request.contentType === 'text/plain' ? request.body : request.body.at;
}
export const wrongDates: Handlers<Dated>[] = [
  // @ts-expect-error a text for a Date
  { find: () => ({ status: 200, contentType, body: { at: '2024-05-01T12:00:00Z' } }) },
  // @ts-expect-error a number for a Date
  { find: () => ({ status: 200, contentType, body: { at: 5 } }) },
  // @ts-expect-error a text for the Date of a header
  { find: () => ({ status: 200, contentType, headers: { 'Last-At': '2024' }, body: { at: now } }) },
  // @ts-expect-error an object for a Date
  { find: () => ({ status: 200, contentType, body: { at: {} } }) },
  // @ts-expect-error a Date as a text
  { find: ({ params: { at } }) => ({ status: 200, contentType, body: { at, note: at } }) },
];
export const rightOwnFormats: MiddlewareOptions['formats'][] = [
  { iban: { validate: (text) => text.length > 4 } },
  { 'date-time': { decode: (text) => new Date(text), encode: (date: Date) => date.toISOString() } },
];
export const wrongOwnFormats: MiddlewareOptions['formats'][] = [
  // @ts-expect-error a rule that returns a text
  { iban: { validate: (text) => text } },
  // @ts-expect-error an encoder that returns the value
  { 'date-time': { decode: (text) => new Date(text), encode: (date: Date) => date } },
  // @ts-expect-error a misspelt function
  { iban: { valid: () => true } },
];

import {
  createClient,
  type ResponseError,
  type Client,
  type ClientOptions,
  type ContractShapes,
  type Formats,
} from '../../src/client.ts';

/**
 * The compiler is the test here, which `npm test` runs: an expectation of an error that does not
 * come is an error itself. Nothing imports this file.
 */
interface Paths {
  '/beds/{id}': {
    get: {
      parameters: { path: { id: bigint } };
      responses: {
        200: { content: { 'image/*': string; 'application/json': { id: bigint } } };
        204: { content?: never };
      };
    };
    put: {
      parameters: { path: { id: bigint } };
      requestBody: { content: { 'application/json': { width: number } } };
      responses: {
        200: { content: { 'application/json': { id: bigint } } };
        404: { content?: never };
        409: { content: { 'application/problem+json': { reason: 'taken' | 'locked' } } };
        '5XX': { content: { 'application/json': { retry: boolean } } };
        default: { content: { 'text/plain': string } };
      };
    };
    patch: {
      parameters: { path: { id: bigint } };
      responses: { default: { content: { 'application/json': { id: bigint } } } };
    };
    head: {
      parameters: { path: { id: bigint } };
      responses: { 200: { content: { 'image/*': string } }; 404: { content: { 'text/plain': string } } };
    };
  };
}

interface Schemes {
  apiKey: 'apiKey';
  login: 'basic';
  bearerAuth: 'bearer';
  signature: 'http';
}

/** Requires the type of a value. */
declare function holds<Type>(value: Type): Type;
declare const shapes: ContractShapes;
declare const client: Client<Paths>;
const baseUrl = 'https://beds.example';
const params = { path: { id: 1n } };
const body = { width: 2 };

export async function errorsByStatus(): Promise<void> {
  const { data, error, response } = await client.PUT('/beds/{id}', { params, body, throwHttpErrors: false });
  holds<number>(response.status);
  // @ts-expect-error there may be an error
  void data.id;
  if (error === undefined) {
    holds<bigint>(data.id);
    return;
  }
  holds<ResponseError>(error);
  // @ts-expect-error the body depends on the status
  void error.body.reason;
  switch (error.status) {
    case 409:
      holds<'taken' | 'locked'>(error.body.reason);
      // @ts-expect-error the contract declares no such property
      void error.body.title;
      break;
    case 503:
      holds<boolean>(error.body.retry);
      break;
    case 404:
      // @ts-expect-error the contract declares no body
      holds<object>(error.body);
      break;
    case 418:
      holds<string>(error.body);
      break;
    // @ts-expect-error a status of success
    case 200:
      break;
  }
  // @ts-expect-error an error has no data
  void data.id;
}

export async function results(isThrowing: boolean): Promise<void> {
  const thrown = await client.PUT('/beds/{id}', { params, body });
  holds<bigint>(thrown.data.id);
  holds<undefined>(thrown.error);
  const explicit = await client.PUT('/beds/{id}', { params, body, throwHttpErrors: undefined });
  holds<bigint>(explicit.data.id);
  const either = await client.PUT('/beds/{id}', { params, body, throwHttpErrors: isThrowing });
  // @ts-expect-error there may be an error
  void either.data.id;
  // An operation without declared errors has none to return.
  const sure = await client.GET('/beds/{id}', { params, throwHttpErrors: false });
  holds<undefined>(sure.error);
  // default describes successes and errors.
  const { data, error } = await client.PATCH('/beds/{id}', { params, throwHttpErrors: false });
  holds<{ id: bigint } | undefined>(data);
  if (error?.status === 404) holds<bigint>(error.body.id);
  // @ts-expect-error a status of success
  if (error?.status === 201) void error;
  const head = await client.HEAD('/beds/{id}', { params, throwHttpErrors: false });
  // @ts-expect-error the response to HEAD has no body
  holds<string | undefined>(head.error?.body);
}

export async function streams(parseAs: 'stream' | undefined): Promise<void> {
  const { data } = await client.GET('/beds/{id}', { params, parseAs: 'stream' });
  holds<ReadableStream<Uint8Array> | undefined>(data);
  // @ts-expect-error a stream of bytes
  void data?.size;
  const { data: read } = await client.GET('/beds/{id}', { params, parseAs: undefined });
  holds<Blob | { id: bigint } | undefined>(read);
  const { data: either } = await client.GET('/beds/{id}', { params, parseAs });
  holds<ReadableStream<Uint8Array> | Blob | { id: bigint } | undefined>(either);
  const { data: none } = await client.HEAD('/beds/{id}', { params, parseAs: 'stream' });
  holds<undefined>(none);
  // @ts-expect-error not a value of parseAs
  await client.GET('/beds/{id}', { params, parseAs: 'json' });
}

export async function calls(): Promise<void> {
  const signal = AbortSignal.timeout(1_000);
  const headers = { 'Accept-Language': 'de', 'X-Trace': undefined };
  await client.GET('/beds/{id}', { params, headers, signal, timeout: undefined });
  await client.GET('/beds/{id}', { params, headers: new Headers(headers['X-Trace']), signal: undefined });
  // @ts-expect-error a header is a text
  await client.GET('/beds/{id}', { params, headers: { 'X-Trace': 7 } });
  // @ts-expect-error not the signal, but its controller
  await client.GET('/beds/{id}', { params, signal: new AbortController() });
  // @ts-expect-error a misspelt option
  await client.GET('/beds/{id}', { params, header: {} });
  // @ts-expect-error a misspelt option beside others that choose the result
  await client.GET('/beds/{id}', { params, parseAs: 'stream', throwHttpErrors: false, timeOut: 5 });
  // @ts-expect-error a number for an int64 beside such options
  await client.GET('/beds/{id}', { params: { path: { id: 1 } }, parseAs: 'stream', throwHttpErrors: false });
  // @ts-expect-error true or false
  await client.GET('/beds/{id}', { params, throwHttpErrors: 'never' });
}

type Options = Omit<ClientOptions<Schemes>, 'shapes' | 'baseUrl'>;
export const rightOptions: Options[] = [
  { credentials: { apiKey: 'secret', login: { username: 'anna', password: 'secret' } } },
  { credentials: { apiKey: async () => Promise.resolve('secret'), signature: () => 'abc', bearerAuth: undefined } },
  { headers: { 'X-Trace': '1' } },
  { headers: () => new Headers(), cookies: 'include', fetch, token: undefined },
  { headers: async () => Promise.resolve({ 'X-Trace': undefined }) },
  {
    onRequest: ({ request, schemaPath }) => {
      request.headers.set('X-Path', schemaPath);
    },
  },
  { onRequest: ({ request }) => new Request(request, { method: 'POST' }), onResponse: undefined },
  { onRequest: async () => Promise.resolve(new Response(null, { status: 204 })) },
  {
    onResponse: async ({ request, response, fetch: again }) => {
      if (response.status !== 425) return;
      return again(request);
    },
  },
  { onResponse: ({ response }) => void response.headers.get('X-Trace') },
];
export const wrongOptions: Options[] = [
  // @ts-expect-error the contract has no such scheme
  { credentials: { apiKy: 'secret' } },
  // @ts-expect-error a user name and a password
  { credentials: { login: 'anna:secret' } },
  // @ts-expect-error a key is a text
  { credentials: { apiKey: { username: 'anna', password: 'secret' } } },
  // @ts-expect-error a function that returns a number
  { credentials: { bearerAuth: () => 7 } },
  // @ts-expect-error the mode of cookies
  { credentials: 'include' },
  // @ts-expect-error no such mode
  { cookies: 'always' },
  // @ts-expect-error headers that are lists
  { headers: () => ({ Accept: ['a'] }) },
  // @ts-expect-error a text instead of a request
  { onRequest: () => 'https://beds.example' },
  // @ts-expect-error a request instead of a response
  { onResponse: ({ request }) => request },
  // @ts-expect-error a promise of a text
  { fetch: async () => Promise.resolve('text') },
  // @ts-expect-error no such parameter
  { onRequest: ({ url }) => void url },
];

export const clients: Client<Paths>[] = [
  createClient<Paths, Schemes>({ shapes, baseUrl, credentials: { apiKey: 'secret' } }),
  // Without the types of the schemes, their names are checked when the client is created.
  createClient<Paths>({ shapes, baseUrl, credentials: { apiKey: 'secret' } }),
  // @ts-expect-error the contract has no such scheme
  createClient<Paths, Schemes>({ shapes, baseUrl, credentials: { apiKy: 'secret' } }),
  // @ts-expect-error an API key is a text
  createClient<Paths>({ shapes, baseUrl, credentials: { apiKey: 7 } }),
];

interface FormatTypes {
  'date-time': Date;
  decimal: { readonly cents: bigint };
}
const dates = { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() };
const decimals = { decode: (text: string) => ({ cents: BigInt(text) }), encode: () => 5n };
export const rightFormats: Formats<FormatTypes>[] = [
  { 'date-time': dates, decimal: decimals },
  { 'date-time': { ...dates, validate: (text) => text.endsWith('Z') }, decimal: decimals },
];
export const wrongFormats: Formats<FormatTypes>[] = [
  // @ts-expect-error a type is generated, and no decoder given
  { 'date-time': dates },
  // @ts-expect-error a rule alone
  { 'date-time': { validate: () => true }, decimal: decimals },
  // @ts-expect-error no encoder
  { 'date-time': { decode: dates.decode }, decimal: decimals },
  // @ts-expect-error a decoder of another value
  { 'date-time': { ...dates, decode: (text: string) => text }, decimal: decimals },
  // @ts-expect-error an encoder of another value
  { 'date-time': { ...dates, encode: (date: string) => date }, decimal: decimals },
  // @ts-expect-error an encoder that returns the value
  { 'date-time': { ...dates, encode: (date: Date) => date }, decimal: decimals },
  // @ts-expect-error a rule that tells it later
  { 'date-time': { ...dates, validate: async () => Promise.resolve(true) }, decimal: decimals },
];
export const formatClient = createClient<Paths>({ shapes, baseUrl, formats: rightFormats[0] });
// @ts-expect-error a format is an object
createClient<Paths>({ shapes, baseUrl, formats: { iban: () => true } });

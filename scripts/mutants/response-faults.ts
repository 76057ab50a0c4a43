import type { Fault } from './fault.ts';

const OPERATIONS = ['test/contract/operations.test.ts'];
const BODIES = ['test/contract/bodies.test.ts'];
const ERROR = 'write(response, status, headers, text);';

/** Faults with which a client reads something else than the contract says. */
export const RESPONSE_FAULTS: readonly Fault[] = [
  {
    name: '200 instead of 204',
    file: 'src/contract/respond.ts',
    from: 'response.writeHead(status, headers).end(text);',
    to: 'response.writeHead(status === 204 ? 200 : status, headers).end(text);',
    tests: OPERATIONS,
  },
  {
    name: 'a handler answers with a status that the contract does not declare',
    file: 'src/plants/handlers.ts',
    from: '{ status: 204 }',
    to: '{ status: 200 }',
    tests: [],
  },
  {
    name: 'a handler answers 404 without a body',
    file: 'src/plants/handlers.ts',
    from: ', body: errorBody(PLANT_ERRORS.plantNotFound,',
    to: ', text: errorBody(PLANT_ERRORS.plantNotFound,',
    tests: [],
  },
  {
    name: 'a body on 204, past Node',
    file: 'src/contract/respond.ts',
    from: 'response.writeHead(status, headers).end(text);',
    to: "response.socket?.write('HTTP/1.1 204 No Content\\r\\nContent-Length: 2\\r\\n\\r\\n{}');",
    tests: OPERATIONS,
  },
  {
    name: '404 as 204',
    file: 'src/plants/handlers.ts',
    from: 'if (await deletePlant(id)) return',
    to: 'if ((await deletePlant(id)) || id !== undefined) return',
    tests: OPERATIONS,
  },
  {
    name: 'another error code',
    file: 'src/plants/handlers.ts',
    from: 'plantNotFound: { code: 40401',
    to: 'plantNotFound: { code: 40402',
    tests: ['test/contract/ids.test.ts'],
  },
  {
    name: 'an error code of another status',
    file: 'src/plants/handlers.ts',
    from: 'plantNotFound: { code: 40401',
    to: 'plantNotFound: { code: 41001',
    tests: OPERATIONS,
  },
  {
    name: 'the wrong content type',
    file: 'src/contract/respond.ts',
    from: "'Content-Type', 'application/json; charset=utf-8'",
    to: "'Content-Type', 'text/plain; charset=utf-8'",
    tests: OPERATIONS,
  },
  { name: 'Error without message', ...error('{ error: body.error }') },
  { name: 'Error with an extra field', ...error('{ ...body, status }') },
  { name: 'Error with error as a string', ...error('{ ...body, error: String(body.error) }') },
  { name: 'Error with error beyond int32', ...error('{ ...body, error: body.error * 1_000_000 }') },
  {
    name: 'Allow is missing',
    file: 'src/contract/match.ts',
    from: '{ headers: { Allow: route.allow } }',
    to: '{}',
    tests: OPERATIONS,
  },
  {
    name: 'Allow names a method that there is not',
    file: 'src/contract/match.ts',
    from: 'headers: { Allow: route.allow }',
    to: 'headers: { Allow: `${route.allow}, OPTIONS` }',
    tests: OPERATIONS,
  },
  {
    name: 'Retry-After is missing',
    file: 'src/app.ts',
    from: "const headers = { 'Retry-After': '1' };",
    to: 'const headers = {};',
    tests: OPERATIONS,
  },
  {
    name: 'a store that is down is a bug: 500',
    file: 'src/app.ts',
    from: "'storeUnavailable',",
    to: "'internal',",
    tests: OPERATIONS,
  },
  {
    name: 'a stack in a message',
    file: 'src/app.ts',
    from: "'The service failed unexpectedly. The failure has been logged.'",
    to: 'cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)',
    tests: OPERATIONS,
  },
  {
    name: "the database's own words in a message",
    file: 'src/app.ts',
    from: "'The store is unavailable and nothing was done. Repeat the request after the seconds in Retry-After.'",
    to: '`${cause.message}.`',
    tests: OPERATIONS,
  },
  {
    name: 'an outcome that is unknown is reported as nothing done',
    file: 'src/app.ts',
    from: "return cause.outcome === 'nothing done'",
    to: "return cause.outcome === 'nothing done' || cause.message !== ''",
    tests: ['test/app.test.ts'],
  },
  {
    name: 'the int64s of a response are rounded',
    file: 'src/contract/respond.ts',
    from: '(stringify(body) ??',
    to: "(stringify(body, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)) ??",
    tests: BODIES,
  },
  {
    name: 'what a handler answers is not checked',
    file: 'src/contract/mount.ts',
    from: 'operation.validator.response(value);',
    to: '',
    tests: BODIES,
  },
  {
    name: 'the headers of a response are left out',
    file: 'src/contract/respond.ts',
    from: 'if (value !== undefined) headers.push(name, String(value));',
    to: "if (value === '') headers.push(name, String(value));",
    tests: OPERATIONS,
  },
  {
    name: 'the headers of every answer are left out',
    file: 'src/contract/respond.ts',
    from: 'const headers = [...SECURITY_HEADER_LIST];',
    to: 'const headers: string[] = [];',
    tests: OPERATIONS,
  },
  {
    name: 'the id of a request is not returned',
    file: 'src/contract/respond.ts',
    from: "if (typeof requestId === 'string') headers.push('X-Request-Id', requestId);",
    to: '',
    tests: OPERATIONS,
  },
  {
    name: 'the body of a failure is not held against its schema',
    file: 'src/contract/validation/validation-document.ts',
    from: '200 + statuses.size',
    to: '(Number(status) || 200) + 0 * statuses.size',
    tests: BODIES,
  },
  {
    name: 'the body of a response is not held against its schema',
    file: 'src/contract/validate.ts',
    from: 'this.#validator.checkResponse(content.status, body);',
    to: '',
    tests: BODIES,
  },
  {
    name: 'the answer to HTTP that does not parse is no JSON',
    file: 'src/http/refusals.ts',
    from: '{ status, text }: RequestError',
    to: '{ status, message: text }: RequestError',
    tests: ['test/http/server.test.ts'],
  },
];

/** Every failure is answered with this in place of the `Error` object. */
function error(body: string): Omit<Fault, 'name'> {
  const to = `const body = JSON.parse(text);\n  write(response, status, headers, JSON.stringify(${body}));`;
  return { file: 'src/contract/respond.ts', from: ERROR, to, tests: OPERATIONS };
}

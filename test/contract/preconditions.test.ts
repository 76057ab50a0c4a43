import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { serveContract, type ContractServer } from '../support/contract-server.ts';
import { deleteExactly, expectError } from '../support/send.ts';
import { contract, plantsIn, startService } from '../support/service.ts';

const PLANTS = [1n, 9007199254740992n, 9007199254740993n];
const TARGET = '/plants/9007199254740993';

const service = await startService();
beforeEach(() => service.stores.plants.insertPlants(PLANTS));
afterAll(() => service.close());

function authorized(...preconditions: readonly string[]): string[] {
  return [`Authorization: Bearer ${service.token}`, ...preconditions];
}

describe('a precondition that does not hold', () => {
  const cases = [
    ...['"x"', 'W/"x"', '"*"', '"a", "b"', '*, "a"', 'x', ''].map((value) => [`If-Match: ${value}`]),
    ...['*', '  *  ', '"x", *', '*, *', '"x', 'x', 'w/"x"'].map((value) => [`If-None-Match: ${value}`]),
    ['If-Match: "a"', 'If-Match: *'],
    ['If-Match: *', 'If-Match: *'],
    ['If-None-Match: "x"', 'If-None-Match: *'],
    ['If-Match: *', 'If-None-Match: *'],
    ['If-Match: "x"', 'If-None-Match: "x"'],
    ['if-match: "x"', 'If-Unmodified-Since: Mon, 23 Nov 2026 00:00:00 GMT'],
  ];
  afterEach(async () => {
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  // A header that the contract declares as one text must not come twice.
  const declaresIfMatch = contract.operations.some(({ parameters }) =>
    parameters.some(({ name }) => name === 'If-Match'),
  );
  const usual = cases.filter((lines) => !declaresIfMatch || lines.filter((line) => line.startsWith('If-M')).length < 2);

  test.each(usual)('leaves the plant where it is, and does not hide a 404: %s %s', async (...preconditions) => {
    expectError(await deleteExactly(service, TARGET, authorized(...preconditions)), 41200);
    const response = await deleteExactly(service, '/plants/9007199254740991', authorized(...preconditions));
    expectError(response, 40401);
  });

  test('is evaluated after the token and the parameters', async () => {
    expectError(await deleteExactly(service, TARGET, ['If-Match: "x"']), 40100);
    expectError(await deleteExactly(service, '/plants/x', authorized('If-Match: "x"')), 40001);
    expectError(await deleteExactly(service, `${TARGET}?x=1`, authorized('If-Match: "x"')), 40002);
    expectError(await deleteExactly(service, TARGET, authorized('If-Match: "x"', 'Content-Length: 1')), 40003);
    expectError(await deleteExactly(service, '/garden', authorized('If-Match: "x"')), 40400);
  });

  test('with thousands of commas is refused like any other', async () => {
    const value = `${', '.repeat(3_000)}x`;
    expectError(await deleteExactly(service, TARGET, authorized(`If-None-Match: ${value}`)), 41200);
  });
});

describe('a precondition that holds', () => {
  test.each([
    ...['*', ' *  '].map((value) => [`If-Match: ${value}`]),
    ...['"x"', 'W/"x"', '"*"', '"a,*,b"', '"a" , ,W/"b",', ''].map((value) => [`If-None-Match: ${value}`]),
    ['If-None-Match: "a"', 'If-None-Match: "b"'],
    ['If-Match: *', 'If-None-Match: "x"'],
    ['If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT'],
    ['If-Modified-Since: Mon, 01 Jan 2001 00:00:00 GMT'],
  ])('lets the plant be deleted, and no other: %s %s', async (...preconditions) => {
    expect(await deleteExactly(service, TARGET, authorized(...preconditions))).toMatchObject({ status: 204, text: '' });
    expect(await plantsIn(service.stores)).toEqual([1n, 9007199254740992n]);
    expectError(await deleteExactly(service, TARGET, authorized(...preconditions)), 40401);
  });
});

describe('in any contract', () => {
  let server: ContractServer;
  let done: string[] = [];
  beforeAll(async () => {
    server = await serveContract(new URL('../fixtures/contracts/preconditions.yaml', import.meta.url), {
      readNote: ({ params: { id } }: { params: { id: bigint } }) => ({ status: id === 1n ? 200 : 404 }),
      writeNote: ({ headers }: { headers: Record<string, string> }) => {
        done.push(`written if ${headers['If-Match'] ?? ''}`);
        return { status: 204 };
      },
      deleteNote: () => {
        done.push('deleted');
        return { status: 204 };
      },
    });
  });
  beforeEach(() => {
    done = [];
  });
  afterAll(() => server.close());
  const status = async (method: string, id: number, headers: Record<string, string>): Promise<number> =>
    (await server.request(method, `/notes/${id}`, { headers })).status;

  test('the handler gets the header that the contract declares, and the service evaluates the other one', async () => {
    expect(await status('PUT', 1, { 'If-Match': '"x"' })).toBe(204);
    expect(done).toEqual(['written if "x"']);
    expect(await status('PUT', 1, { 'If-Match': '"x"', 'If-None-Match': '*' })).toBe(412);
    expect(done).toEqual(['written if "x"']);
  });

  test('an operation without checks is not performed', async () => {
    expect(await status('DELETE', 2, { 'If-Match': '"x"' })).toBe(412);
    expect(done).toEqual([]);
  });

  test('a read is performed first, and its 404 stays', async () => {
    expect(await status('GET', 1, { 'If-Match': '"x"' })).toBe(412);
    expect(await status('GET', 2, { 'If-Match': '"x"' })).toBe(404);
    expect(await status('GET', 1, { 'If-Match': '*', 'If-None-Match': '*' })).toBe(200);
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RequestError } from '../../src/errors.ts';
import type { Verifier } from '../../src/contract/authenticate.ts';
import { serveContract, type ContractServer } from '../support/contract-server.ts';

const token: Verifier = ({ headers: { authorization } }) => {
  if (authorization === 'Bearer good') return Promise.resolve({ name: 'token' });
  if (authorization === 'Bearer weak') throw new RequestError('insufficientScope', 'A better token, please.');
  if (authorization === 'Bearer down') throw new RequestError('storeUnavailable', 'Later.');
  throw new RequestError('noCredentials', 'A token, please.', { headers: { 'WWW-Authenticate': 'Bearer' } });
};
const key: Verifier = ({ url }) => {
  if (url?.includes('api_key=good') === true) return Promise.resolve({ name: 'key' });
  if (url?.includes('api_key=weak') === true) throw new RequestError('insufficientScope', 'A better key, please.');
  throw new RequestError('noCredentials', 'A key, please.', { headers: { 'WWW-Authenticate': 'Key' } });
};

let server: ContractServer;
beforeAll(async () => {
  const yes = () => ({ status: 204 });
  server = await serveContract(
    'security.yaml',
    { inherited: yes, open: yes, optional: yes, either: yes, both: yes },
    { token, key },
  );
});
afterAll(() => server.close());

/** The status for no credentials, the token, the key and both. */
async function statuses(path: string): Promise<number[]> {
  const headers = { Authorization: 'Bearer good' };
  const answers = [
    await server.request('GET', path),
    await server.request('GET', path, { headers }),
    await server.request('GET', `${path}?api_key=good`),
    await server.request('GET', `${path}?api_key=good`, { headers }),
  ];
  return answers.map(({ status }) => status);
}

test('the security of the contract holds for operations without their own', async () => {
  expect((await statuses('/inherited')).slice(0, 2)).toEqual([401, 204]);
});

test('security: [] makes an operation public', async () => {
  expect((await statuses('/open')).slice(0, 2)).toEqual([204, 204]);
});

test('an empty alternative makes credentials optional', async () => {
  expect((await statuses('/optional')).slice(0, 2)).toEqual([204, 204]);
});

test('one of two alternatives is enough', async () => {
  expect(await statuses('/either')).toEqual([401, 204, 204, 204]);
});

test('schemes that are named together are needed together', async () => {
  expect(await statuses('/both')).toEqual([401, 401, 401, 204]);
});

test('credentials that are good but do not suffice are 403, unless an alternative lets the request in', async () => {
  const headers = { Authorization: 'Bearer weak' };
  expect(await server.request('GET', '/inherited', { headers })).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either', { headers })).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either?api_key=weak')).toMatchObject({ status: 403 });
  expect(await server.request('GET', '/either?api_key=good', { headers })).toMatchObject({ status: 204 });
  expect(await server.request('GET', '/both?api_key=good', { headers })).toMatchObject({ status: 403 });
});

test('a verifier may answer with a promise of any kind, and a request waits for it', async () => {
  // A thenable that is not a Promise, as some database clients return it.
  const later = (name: string | undefined) => ({
    then: (resolve: (value: { name: string }) => void, reject: (error: unknown) => void) => {
      if (name === undefined) reject(new RequestError('noCredentials', 'A token, please.'));
      else resolve({ name });
    },
  });
  const yes = () => ({ status: 204 });
  const verifiers = {
    // What can be awaited is all that matters here.
    token: ({ headers }: Parameters<Verifier>[0]) => later(headers.authorization) as unknown as ReturnType<Verifier>,
    key,
  };
  const handlers = { inherited: yes, open: yes, optional: yes, either: yes, both: yes };
  const other = await serveContract('security.yaml', handlers, verifiers);
  try {
    expect(await other.request('GET', '/inherited')).toMatchObject({ status: 401 });
    const headers = { Authorization: 'anything' };
    expect(await other.request('GET', '/inherited', { headers })).toMatchObject({ status: 204 });
  } finally {
    await other.close();
  }
});

test('a verifier that fails is not overruled by another alternative', async () => {
  const headers = { Authorization: 'Bearer down' };
  expect(await server.request('GET', '/either?api_key=good', { headers })).toMatchObject({ status: 503 });
  expect(await server.request('GET', '/optional', { headers })).toMatchObject({ status: 503 });
});

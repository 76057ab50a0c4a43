import { expect, test } from '@jest/globals';
import { createClient, type Client, type ClientError, type Success } from '../../src/client/create-client.ts';

// The compiler reads this file with all others: an unused @ts-expect-error is an error.

/** Never called: what counts is that it compiles. */
export function calls(client: Client): Promise<Success<undefined>>[] {
  const fine = client.DELETE('/plants/{id}', { params: { path: { id: 12n } } });
  // @ts-expect-error An id is a bigint: a number may be another's.
  void client.DELETE('/plants/{id}', { params: { path: { id: 12 } } });
  // @ts-expect-error Nor is it a string.
  void client.DELETE('/plants/{id}', { params: { path: { id: '12' } } });
  // @ts-expect-error The id is required,
  void client.DELETE('/plants/{id}', { params: { path: {} } });
  // @ts-expect-error and so are the parameters,
  void client.DELETE('/plants/{id}', {});
  // @ts-expect-error and what they are in.
  void client.DELETE('/plants/{id}');
  // @ts-expect-error The contract has no such path,
  void client.DELETE('/seeds/{id}', { params: { path: { id: 12n } } });
  // @ts-expect-error and no such method.
  void client.TRACE('/plants/{id}', { params: { path: { id: 12n } } });
  // @ts-expect-error The operation takes no body,
  void client.DELETE('/plants/{id}', { params: { path: { id: 12n } }, body: { id: 12n } });
  // @ts-expect-error and no query,
  void client.DELETE('/plants/{id}', { params: { path: { id: 12n }, query: { force: true } } });
  // @ts-expect-error and no options but these.
  void client.DELETE('/plants/{id}', { params: { path: { id: 12n } }, retry: 3 });
  // @ts-expect-error A client needs a token.
  createClient({ baseUrl: 'http://127.0.0.1:3000' });
  return [fine];
}

/** Each kind of failure has what belongs to it, and nothing else. */
export function describeError(error: ClientError): string {
  switch (error.kind) {
    case 'response':
      return `${error.status} ${error.code ?? ''} ${error.requestId ?? ''} ${error.retryAfter ?? ''}`;
    case 'connection':
      // @ts-expect-error Only a response has a status.
      return `${error.outcome} ${String(error.status)}`;
    case 'timeout':
      return error.outcome;
  }
}

test('the client has a function for each method of HTTP', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: 'x' });
  expect(Object.keys(client)).toEqual(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);
});

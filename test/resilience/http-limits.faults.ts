import { expect, test } from '@jest/globals';
import { LIMITS } from '../../src/limits.ts';
import { MAX_HEADERS } from '../../src/unambiguous.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { errorCode } from '../support/stock.ts';
import { serverOfAllTests } from './stocked-server.ts';

const at = serverOfAllTests(10, { NODE_ENV: 'production' });

function headers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `x${index}: y`);
}

test.each([
  ['2,500 headers', () => ({ headers: headers(2_500) })],
  ['101 headers', () => ({ headers: headers(MAX_HEADERS + 1 - 2) })],
  ['101 headers of one name', () => ({ headers: Array<string>(MAX_HEADERS + 1 - 2).fill('x: y') })],
  ['a header of 9 KiB', () => ({ headers: [`x: ${'y'.repeat(9 * 1024)}`] })],
  ['a header name of 9 KiB', () => ({ headers: [`${'x'.repeat(9 * 1024)}: y`] })],
  ['a header of 1 MB', () => ({ headers: [`x: ${'y'.repeat(1_000_000)}`] })],
  ['a URL of 8 KiB', () => ({ path: '0'.repeat(8 * 1024 - 8) })],
  ['a query of 8 KiB', (id: bigint) => ({ path: `${id}?${'x'.repeat(8 * 1024)}` })],
])('a request with %s is refused with 431, and the connection is closed', async (name, make) => {
  const [, id = 0n] = at.plants.ids;
  const made: { path?: string; headers?: readonly string[] } = make(id);
  const { socket, responses, ended } = await openRaw(at.server.url);
  socket.write(at.plants.request(made.path ?? id, ...(made.headers ?? [])));
  await ended;
  for (const response of responses) expectConformance('DELETE', '/plants/1', response);
  expect(responses.map(({ text }) => errorCode(text))).toEqual([43100]);
  expect(responses).toMatchObject([{ status: 431, headers: { connection: 'close' } }]);
  await at.plants.expectUnharmed(`a request with ${name}`, '431, closed');
});

test('a request within all limits is served', async () => {
  const [, id = 0n] = at.plants.ids;
  const most = at.plants.request(id, ...headers(MAX_HEADERS - 2));
  const bytes = most.replace('x0: y', `x0: ${'y'.repeat(LIMITS.maxHeaderSize - most.length - 500)}`);
  const { socket, until } = await openRaw(at.server.url);
  socket.write(bytes);
  expect(await until(1)).toMatchObject([{ status: 204 }]);
  socket.destroy();
  at.plants.ledger.note(id, 204);
  await at.plants.expectUnharmed(`a request with ${MAX_HEADERS} headers, ${bytes.length} bytes`, '204');
});

test('the last request that a connection may have is answered, and the connection closed behind it', async () => {
  const [, , id = 0n] = at.plants.ids;
  const { maxRequestsPerSocket: most, maxPipelinedRequests } = LIMITS;
  const { socket, responses, until, ended } = await openRaw(at.server.url);
  // It needs no store: a method that the path does not have.
  const other = at.plants.request(id).replace('DELETE', 'PATCH');
  for (let sent = 0; sent < most - maxPipelinedRequests; sent += maxPipelinedRequests) {
    socket.write(other.repeat(maxPipelinedRequests));
    await until(sent + maxPipelinedRequests);
  }
  socket.write(other.repeat(maxPipelinedRequests) + at.plants.request(id));
  await ended;
  expect(responses.length).toBe(most);
  expect(responses.every(({ status }) => status === 405)).toBe(true);
  for (const response of responses.slice(-2)) expectConformance('PATCH', '/plants/1', response);
  expect(responses.slice(-2)).toMatchObject([
    { headers: { connection: 'keep-alive' } },
    { headers: { connection: 'close' } },
  ]);
  await at.plants.expectUnharmed(`${most + 1} requests on one connection`, `${most} × 405, closed`);
});

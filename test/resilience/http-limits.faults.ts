import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LIMITS } from '../../src/limits.ts';
import { MAX_HEADERS } from '../../src/unambiguous.ts';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { errorCode, stock, type Stock } from '../support/stock.ts';

let place: Workplace;
let plants: Stock;
let server: ServerProcess;
beforeAll(async () => {
  place = await workplace();
  plants = await stock(place, 10);
  server = await place.serve({ NODE_ENV: 'production' });
});
afterAll(() => place.remove());

function deleteRequest(path: string, headers: readonly string[]): string {
  const known = ['Host: plants', `Authorization: Bearer ${plants.token}`];
  return [`DELETE ${path} HTTP/1.1`, ...known, ...headers, '', ''].join('\r\n');
}

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
  ['a URL of 8 KiB', () => ({ path: `/plants/${'0'.repeat(8 * 1024 - 8)}` })],
  ['a query of 8 KiB', (id: bigint) => ({ path: `/plants/${id}?${'x'.repeat(8 * 1024)}` })],
])('a request with %s is refused with 431, and the connection is closed', async (name, make) => {
  const [, id = 0n] = plants.ids;
  const made: { path?: string; headers?: readonly string[] } = make(id);
  const { socket, responses, ended } = await openRaw(server.url);
  socket.write(deleteRequest(made.path ?? `/plants/${id}`, made.headers ?? []));
  await ended;
  for (const response of responses) expectConformance('DELETE', '/plants/1', response);
  expect(responses.map(({ text }) => errorCode(text))).toEqual([43100]);
  expect(responses).toMatchObject([{ status: 431, headers: { connection: 'close' } }]);
  await plants.expectUnharmed(`a request with ${name}`, '431, closed');
});

test('a request within all limits is served', async () => {
  const [, id = 0n] = plants.ids;
  const most = deleteRequest(`/plants/${id}`, headers(MAX_HEADERS - 2));
  const bytes = most.replace('x0: y', `x0: ${'y'.repeat(LIMITS.maxHeaderSize - most.length - 500)}`);
  const { socket, until } = await openRaw(server.url);
  socket.write(bytes);
  expect(await until(1)).toMatchObject([{ status: 204 }]);
  socket.destroy();
  plants.ledger.note(id, 204);
  await plants.expectUnharmed(`a request with ${MAX_HEADERS} headers, ${bytes.length} bytes`, '204');
});

test('the last request that a connection may have is answered, and the connection closed behind it', async () => {
  const [, , id = 0n] = plants.ids;
  const { maxRequestsPerSocket: most, maxPipelinedRequests } = LIMITS;
  const { socket, responses, until, ended } = await openRaw(server.url);
  // It needs no store: a method that the path does not have.
  const other = deleteRequest(`/plants/${id}`, []).replace('DELETE', 'PATCH');
  for (let sent = 0; sent < most - maxPipelinedRequests; sent += maxPipelinedRequests) {
    socket.write(other.repeat(maxPipelinedRequests));
    await until(sent + maxPipelinedRequests);
  }
  socket.write(other.repeat(maxPipelinedRequests) + deleteRequest(`/plants/${id}`, []));
  await ended;
  expect(responses.length).toBe(most);
  expect(responses.every(({ status }) => status === 405)).toBe(true);
  for (const response of responses.slice(-2)) expectConformance('PATCH', '/plants/1', response);
  expect(responses.slice(-2)).toMatchObject([
    { headers: { connection: 'keep-alive' } },
    { headers: { connection: 'close' } },
  ]);
  await plants.expectUnharmed(`${most + 1} requests on one connection`, `${most} × 405, closed`);
});

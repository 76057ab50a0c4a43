import { expect, test } from '@jest/globals';
import { LIMITS } from '../../src/http/limits.ts';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { serverOfAllTests } from './stocked-server.ts';

const at = serverOfAllTests(10, { NODE_ENV: 'production' });

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

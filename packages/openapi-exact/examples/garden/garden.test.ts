import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from 'openapi-exact/client';
import { createApp } from './app.ts';
import { Decimal } from './decimal.ts';
import { formats } from './formats.ts';
import type { paths } from './generated/openapi.d.ts';
import { shapes } from './generated/shapes.ts';

let photos: string;
let server: Server;
let url: string;
let client: Client<paths>;

beforeAll(async () => {
  photos = await mkdtemp(join(tmpdir(), 'garden-'));
  server = createServer(await createApp(photos)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createClient<paths>({ shapes, baseUrl: url, token: 'secret-token', formats });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(photos, { recursive: true });
});

/** Adds a plant. @returns the path parameters of its id. */
async function planted(name: string): Promise<{ path: { id: bigint } }> {
  const { data } = await client.POST('/plants', { body: { name } });
  return { path: { id: data.id } };
}

test('a new plant has a location, a version, and an id beyond 2^53', async () => {
  const { data, response } = await client.POST('/plants', { body: { name: 'Rose', height: 0.5 } });
  expect([response.status, response.headers.get('ETag')]).toEqual([201, '"1"']);
  expect(response.headers.get('Location')).toBe(`/plants/${data.id}`);
  expect(data.id).toBeGreaterThan(2n ** 53n);
  expect(data).toEqual({ id: data.id, name: 'Rose', height: 0.5, plantedAt: expect.any(Date) });
});

test('a price is a decimal and a time a Date, on both sides', async () => {
  const price = Decimal.parse('12345678.90');
  const before = new Date();
  const { data } = await client.POST('/plants', { body: { name: 'Orchid', price } });
  expect([data.price, data.plantedAt >= before]).toEqual([price, true]);
  const { data: found } = await client.GET('/plants', { params: { query: { since: data.plantedAt } } });
  expect(found).toEqual([data]);
  const response = await fetch(`${url}/plants/${data.id}`, { headers: { Authorization: 'Bearer secret-token' } });
  expect(await response.text()).toContain('"price":"12345678.90"');
});

test('a list comes page by page, and Link leads to the next one', async () => {
  for (const name of ['Fern', 'Moss', 'Reed']) await planted(name);
  const names: string[] = [];
  const headers = { Authorization: 'Bearer secret-token' };
  for (let next: string | undefined = '/plants?limit=2'; next !== undefined;) {
    const page = await fetch(url + next, { headers });
    names.push(...((await page.json()) as { name: string }[]).map(({ name }) => name));
    next = /<(.*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
  }
  expect(names).toEqual(['Rose', 'Orchid', 'Fern', 'Moss', 'Reed']);
});

test('a client that has this version gets 304', async () => {
  const params = await planted('Ivy');
  const { data, response } = await client.GET('/plants/{id}', { params });
  expect([data.name, response.headers.get('ETag')]).toEqual(['Ivy', '"1"']);
  const header = { 'If-None-Match': '"1"' };
  await expect(client.GET('/plants/{id}', { params: { ...params, header } })).rejects.toMatchObject({ status: 304 });
});

test('a merge patch changes the version that was read, and no other', async () => {
  const params = await planted('Oak');
  const patch = (ifMatch: string, body: { name?: string; height?: number | null }): ReturnType<typeof client.PATCH> =>
    client.PATCH('/plants/{id}', { params: { ...params, header: { 'If-Match': ifMatch } }, body });
  expect((await patch('"1"', { height: 12 })).data).toMatchObject({ id: params.path.id, name: 'Oak', height: 12 });
  expect((await patch('"2"', { height: null })).data).not.toHaveProperty('height');
  await expect(patch('"2"', { name: 'Ash' })).rejects.toMatchObject({ status: 412 });
  await expect(client.PATCH('/plants/{id}', { params, body: { name: 'Ash' } })).rejects.toMatchObject({ status: 428 });
});

test('a photo is uploaded as it is or in a form, and downloaded', async () => {
  const params = await planted('Tulip');
  const photo = new Blob([new Uint8Array(100_000).fill(7)], { type: 'image/jpeg' });
  const form = new FormData();
  form.set('photo', photo, 'tulip.jpg');
  for (const body of [photo, form]) {
    expect((await client.PUT('/plants/{id}/photo', { params, body })).response.status).toBe(204);
    const { data } = await client.GET('/plants/{id}/photo', { params });
    expect([data.type, data.size]).toEqual(['image/jpeg', 100_000]);
  }
});

test('a photo in a form that does not say its type is refused', async () => {
  const { path } = await planted('Fern');
  const sent = await fetch(`${url}/plants/${path.id}/photo`, {
    method: 'PUT',
    headers: { 'X-Api-Key': 'secret-key', 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\nP\r\n--b--',
  });
  expect([sent.status, ((await sent.json()) as { detail: string }).detail]).toEqual([
    415,
    "The part 'photo' must have the Content-Type image/png or image/jpeg.",
  ]);
});

test('changes arrive as events until the client leaves', async () => {
  const leaving = new AbortController();
  const headers = { 'X-Api-Key': 'secret-key' };
  const { body } = await fetch(`${url}/events`, { headers, signal: leaving.signal });
  const { path } = await planted('Poppy');
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  const { data: plant } = await client.GET('/plants/{id}', { params: { path } });
  const data = `{"id":${path.id},"plantedAt":"${plant.plantedAt.toISOString()}","name":"Poppy"}`;
  expect(new TextDecoder().decode(value)).toBe(`event: plant\nid: ${path.id}\ndata: ${data}\n\n`);
  leaving.abort();
});

test.each([{}, { Authorization: 'Bearer wrong' }, { 'X-Api-Key': 'wrong' }])('%j is refused', async (headers) => {
  const response = await fetch(`${url}/plants`, { headers });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([401, 'application/problem+json']);
});

test('a mistake is described with problem details', async () => {
  const body = { name: '', height: 1 };
  await expect(client.POST('/plants', { body })).rejects.toMatchObject({
    ...{ status: 400, outcome: 'nothing done', message: expect.stringContaining('name') },
    body: { title: 'Bad Request', status: 400, detail: expect.any(String) },
  });
});

test('the reference shows the contract', async () => {
  const page = await fetch(`${url}/docs`);
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
  const contract = (await (await fetch(`${url}/docs/openapi.json`)).json()) as { servers: object[] };
  expect(contract.servers).toEqual([{ url }]);
});

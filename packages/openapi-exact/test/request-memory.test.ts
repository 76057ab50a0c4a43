import { describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as delay, setTimeout as pause } from 'node:timers/promises';
import type { ResponseValue } from '../src/response/respond.ts';
import { refused, serveContract, type Answer } from './support/contract-server.ts';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { usedMemory } from './support/used-memory.ts';
import { closed } from 'test-support/closed.ts';
import { dial } from 'test-support/dial.ts';

describe('the memory of all request bodies together', () => {
  const KIB = 1024;
  const type = { 'Content-Type': 'application/json' };
  const body = (length: number): string => JSON.stringify({ id: 1, name: 'x'.repeat(length) });

  test('has a limit, beyond which a body is refused until others are answered', async () => {
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let both: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      both = resolve;
    });
    let count = 0;
    const handle = async (): Promise<{ status: number; body: object }> => {
      if (++count === 2) both?.();
      await held;
      return { status: 200, body: {} };
    };
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 256 * KIB } });
    const post = (): ReturnType<typeof server.request> =>
      server.request('POST', '/echo', { headers: type, body: body(100 * KIB) });
    const served = [post(), post()];
    await begun;
    await expectOverload(post);
    answer?.();
    expect(await Promise.all(served)).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await post()).toMatchObject({ status: 200 });
    await server.close();
  });

  test('counts the values of a body too', async () => {
    const server = await serveContract(
      'media-types.yaml',
      () => ({ status: 200, body: {} }),
      {},
      { bodyLimits: { memory: 256 * KIB } },
    );
    const post = (values: number): ReturnType<typeof server.request> =>
      server.request('POST', '/echo', { headers: type, body: `{"id":1,"x":[${'0,'.repeat(values)}0]}` });
    expect(await post(500)).toMatchObject({ status: 200 });
    expect(await post(5_000)).toMatchObject(refused('overloaded'));
    await server.close();
  });

  test('is refused without a line on standard error, which an attack would flood', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const options = { bodyLimits: { memory: 64 * KIB }, onError: undefined };
    const fails = (): never => {
      throw new Error('a fault of the program');
    };
    const server = await serveContract('media-types.yaml', fails, {}, options);
    const post = (length: number): ReturnType<typeof server.request> =>
      server.request('POST', '/echo', { headers: type, body: body(length) });
    expect(await post(100 * KIB)).toMatchObject(refused('overloaded'));
    expect(print.mock.calls).toEqual([]);
    expect(await post(1)).toMatchObject(refused('internal'));
    expect(print.mock.calls).toEqual([
      ['%s', 'echo (POST /echo) failed:', expect.objectContaining({ message: 'a fault of the program' })],
    ]);
    print.mockRestore();
    await server.close();
  });

  test('refuses a client that is still sending, which gets the answer and goes on with the connection', async () => {
    const handle = (): { status: number; body: object } => ({ status: 200, body: {} });
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 64 * KIB } });
    const socket = dial(server.port).setEncoding('latin1');
    const head = (length: number): string =>
      `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const answered = async (): Promise<string> => String((await once(socket, 'data'))[0]);
    const large = body(200 * KIB);
    socket.write(head(large.length) + large.slice(0, 10));
    expect(await answered()).toMatch(/^HTTP\/1\.1 503 /);
    socket.write(large.slice(10) + head(8) + '{"id":1}');
    expect(await answered()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    await server.close();
  });

  /** A handler that holds the bodies of requests until it is told to end. */
  function holding(): { handle: () => Promise<ResponseValue>; held: () => number; end: () => void } {
    const waiting: (() => void)[] = [];
    return {
      handle: () =>
        new Promise((resolve) => {
          waiting.push(() => {
            resolve({ status: 200, body: {} });
          });
        }),
      held: () => waiting.length,
      end: () => {
        for (const answer of waiting.splice(0)) answer();
      },
    };
  }

  /** Two of them are within the limits of these tests, and three are not. */
  const large = body(100 * KIB);

  test('is held by a handler whose client has left, until the handler ends', async () => {
    const { handle, held, end } = holding();
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 256 * KIB } });
    const head = 'POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
    for (const count of [1, 2]) {
      const socket = dial(server.port);
      socket.write(`${head}Content-Length: ${large.length}\r\n\r\n${large}`);
      while (held() < count) await pause(5);
      socket.resetAndDestroy();
      await closed(socket);
      await pause(50);
    }
    const post = (): Promise<Answer> => server.request('POST', '/echo', { headers: type, body: large });
    expect(await post()).toMatchObject(refused('overloaded'));
    end();
    await expectServed(post, held, end);
    await server.close();
  });

  test('is held by a handler whose time was up, until the handler ends', async () => {
    const { handle, held, end } = holding();
    const options = { bodyLimits: { memory: 256 * KIB }, timeout: 100 };
    const server = await serveContract('media-types.yaml', handle, {}, options);
    const post = (): Promise<Answer> => server.request('POST', '/echo', { headers: type, body: large });
    expect(await Promise.all([post(), post()])).toMatchObject([refused('internal'), refused('internal')]);
    expect(await post()).toMatchObject(refused('overloaded'));
    end();
    await expectServed(post, held, end);
    await server.close();
  });

  test('is given back by a response that its client has left behind another one', async () => {
    const { handle, held, end } = holding();
    let answered = 0;
    const handleOne = async (request: { contentType: string }): Promise<ResponseValue> =>
      request.contentType === 'text/css' ? handle() : (answered++, { status: 200, body: {} });
    const server = await serveContract('media-types.yaml', handleOne, {}, { bodyLimits: { memory: 256 * KIB } });
    const head = (name: string, length: number): string =>
      `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: ${name}\r\nContent-Length: ${length}\r\n\r\n`;
    for (const count of [1, 2, 3, 4]) {
      const socket = dial(server.port);
      socket.write(`${head('text/css', 1)}1${head('application/json', large.length)}${large}`);
      while (answered < count) await pause(5);
      socket.resetAndDestroy();
      await closed(socket);
    }
    const post = (): Promise<Answer> => server.request('POST', '/echo', { headers: type, body: large });
    expect(held()).toBe(4);
    expect(await post()).toMatchObject({ status: 200, text: '{}' });
    end();
    await server.close();
  });

  test('is given back by a client that does not read its response, when its connection times out', async () => {
    // More than the buffers of any system take.
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (const chunk = Buffer.alloc(64 * KIB); ;) yield await Promise.resolve(chunk);
    }
    let held = 0;
    const handle = ({ body: sent }: { body: { name: string } }): ResponseValue => {
      if (sent.name.length < 60 * KIB) return { status: 200, contentType: 'application/json', body: {} };
      held += 1;
      return { status: 200, contentType: 'application/octet-stream', body: endless() };
    };
    const content = { 'application/json': {} };
    const responses = { 200: { description: 'Yes.', content: { ...content, 'application/octet-stream': {} } } };
    const echo = { requestBody: { content }, responses };
    const server = await withFiles({ 'openapi.yaml': documentText({ paths: { '/': { post: echo } } }) }, (file) =>
      serveContract(file, handle as never, {}, { bodyLimits: { memory: 256 * KIB } }),
    );
    const connections: Socket[] = [];
    server.server.on('connection', (connection) => connections.push(connection));
    const sockets = [1, 2].map(() => dial(server.port).pause());
    const head = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`;
    for (const socket of sockets) socket.on('error', () => undefined).write(head + large);
    const post = (): Promise<Answer> => server.request('POST', '/', { headers: type, body: body(50 * KIB) });
    while (held < 2) await pause(5);
    await expectOverload(post);
    // As `server.timeout` does for each new connection.
    for (const connection of connections) connection.setTimeout(100);
    let status = 503;
    while (status === 503) {
      await pause(50);
      ({ status } = await post());
    }
    expect(status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  test('is not taken by parts that are read after their handler has ended', async () => {
    const schema = { type: 'object', properties: { file: { contentMediaType: 'image/png' } } };
    const requestBody = { content: { 'multipart/form-data': { schema } } };
    const operation = { requestBody, responses: { 409: { description: 'Not now.' } } };
    const reads: Promise<unknown>[] = [];
    const leave = ({ body }: { body: unknown }): ResponseValue => {
      reads.push(afterwards(body as AsyncIterable<unknown>).catch((error: unknown) => error));
      return { status: 409 };
    };
    const afterwards = async (parts: AsyncIterable<unknown>): Promise<void> => {
      await pause(20);
      for await (const _ of parts) await delay();
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Forms', version: '1.0.0' },
      paths: { '/': { post: operation } },
    };
    const options = { bodyLimits: { memory: 3 * KIB * KIB } };
    const server = await withFiles({ 'openapi.yaml': JSON.stringify(document) }, (file) =>
      serveContract(file, leave as never, {}, options),
    );
    const part = (head: string, text: string): string =>
      `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const file = part('name="file"; filename="a.png"\r\nContent-Type: image/png', 'x'.repeat(1_100_000));
    const form = `${part('name="a"', 'v').repeat(900)}${file}--b--`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    for (let count = 0; count < 20; count += 1) {
      expect(await server.request('POST', '/', { headers, body: form })).toMatchObject({ status: 409 });
      expect(await reads.at(-1)).toBeInstanceOf(Error);
    }
    await server.close();
  });

  test('counts the values of parameters too, where a request has many', async () => {
    const { handle, held, end } = holding();
    const parameters = [{ in: 'query', name: 'q', content: { 'application/json': {} } }];
    const responses = { 200: { description: 'Yes.', content: { 'application/json': {} } } };
    const server = await withFiles(
      { 'openapi.yaml': documentText({ paths: { '/': { get: { parameters, responses } } } }) },
      (file) => serveContract(file, handle, {}, { bodyLimits: { memory: 256 * KIB } }),
    );
    const get = (values: number): Promise<Answer> =>
      server.request('GET', `/?q=[${'{},'.repeat(values)}{}]`, { headers: { Connection: 'keep-alive' } });
    const answers = [get(1_000), get(200)];
    while (held() < 2) await pause(1);
    expect(await get(1_000)).toMatchObject({
      ...refused('overloaded'),
      headers: { 'retry-after': '1', connection: 'keep-alive' },
    });
    answers.push(get(200));
    while (held() < 3) await pause(1);
    end();
    expect(await Promise.all(answers)).toMatchObject([{ status: 200 }, { status: 200 }, { status: 200 }]);
    await expectServed(() => get(1_000), held, end);
    await server.close();
  });

  const many = (count: number, item: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => item(index)).join('');
  const part = (head: string): string => `--b\r\nContent-Disposition: form-data; name=${head}\r\n\r\n\r\n`;
  const MULTIPART = 'multipart/form-data; boundary=b';

  test.each<[name: string, type: string, body: string]>([
    ['names like indexes', 'application/json', `[{}${many(300, () => ',{"1000":0,"2500":0}')}]`],
    ['names like indexes', 'application/x-www-form-urlencoded', many(200, (at) => `f${at}[1000]=&f${at}[2500]=&`)],
    ['headers of parts like indexes', MULTIPART, `${many(200, (at) => part(`f${at}\r\n1000:\r\n2500:`))}--b--`],
    [
      'headers of parts',
      MULTIPART,
      `${many(10, (at) => part(`f${at}${many(2_000, (header) => `\r\n${header}:`)}`))}--b--`,
    ],
    ['files without bytes', MULTIPART, `${many(900, () => part('files; filename=a'))}--b--`],
  ])('is not exceeded by %s in %s', async (_name, mediaType, sent) => {
    const files = { type: 'array', items: { type: 'string', format: 'binary' } };
    const schema = { type: 'object', properties: { files } };
    const content = {
      'application/json': {},
      ...Object.fromEntries(
        ['application/x-www-form-urlencoded', 'multipart/form-data'].map((name) => [name, { schema }]),
      ),
    };
    const post = {
      requestBody: { content },
      responses: { 200: { description: 'Yes.', content: { 'application/json': {} } } },
    };
    const { handle, held, end } = holding();
    // So much that what V8 compiles meanwhile does not matter.
    const memory = 16 * KIB * KIB;
    const server = await withFiles({ 'openapi.yaml': documentText({ paths: { '/': { post } } }) }, (file) =>
      serveContract(file, handle, {}, { bodyLimits: { memory } }),
    );
    const before = usedMemory();
    const answers: Promise<Answer>[] = [];
    const refusals: Answer[] = [];
    const isRefused = (): boolean => refusals.length > 0;
    while (!isRefused() && answers.length < 160) {
      const count = held();
      const answer = server.request('POST', '/', { headers: { 'Content-Type': mediaType }, body: sent });
      answers.push(answer);
      void answer.then((refusal) => refusals.push(refusal));
      while (held() === count && !isRefused()) await pause(1);
    }
    const used = usedMemory() - before;
    end();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200, 503]));
    await server.close();
    expect(used).toBeLessThan(memory);
  });

  /** Expects a request to be served once the handlers before it have ended. */
  async function expectServed(post: () => Promise<Answer>, held: () => number, end: () => void): Promise<void> {
    let status = 0;
    for (let tries = 0; tries < 100 && status !== 200; tries += 1) {
      const answer = post();
      const isHeld = (async (): Promise<void> => {
        while (held() === 0 && status === 0) await pause(5);
      })();
      await Promise.race([answer, isHeld]);
      end();
      ({ status } = await answer);
    }
    expect(status).toBe(200);
  }

  const HEAD = (length: number): string =>
    `POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  test('is not taken by bodies that are announced and do not arrive', async () => {
    const handle = (): { status: number; body: object } => ({ status: 200, body: {} });
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 256 * KIB } });
    const sockets = Array.from({ length: 120 }, () => dial(server.port));
    const connected = sockets.map((socket) => once(socket, 'connect'));
    for (const socket of sockets) socket.write(`${HEAD(200 * KIB)}{"id":1,`);
    await Promise.all(connected);
    for (const length of [1, 100 * KIB]) {
      const post = server.request('POST', '/echo', { headers: type, body: body(length) });
      expect(await post).toMatchObject({ status: 200 });
    }
    expect(sockets.map(({ bytesRead }) => bytesRead)).toEqual(sockets.map(() => 0));
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  test('counts what has arrived of bodies, and gives back what clients leave', async () => {
    const handle = (): { status: number; body: object } => ({ status: 200, body: {} });
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 256 * KIB } });
    const post = (): Promise<Answer> => server.request('POST', '/echo', { headers: type, body: large });
    const connections: Socket[] = [];
    server.server.on('connection', (connection) => connections.push(connection));
    const sockets = [1, 2].map(() => dial(server.port));
    const sent = HEAD(large.length + 1) + large;
    for (const socket of sockets) socket.write(sent);
    // Before the others: of three bodies, the last one to arrive is refused.
    while (connections.filter(({ bytesRead }) => bytesRead === sent.length).length < 2) await pause(5);
    await expectOverload(post);
    for (const socket of sockets) socket.destroy();
    let status = 503;
    for (let count = 0; count < 100 && status !== 200; count += 1) ({ status } = await post());
    expect(status).toBe(200);
    await server.close();
  });

  test('is left to small bodies for a part, however many large ones are held', async () => {
    const { handle, held, end } = holding();
    const server = await serveContract('media-types.yaml', handle, {}, { bodyLimits: { memory: 1024 * KIB } });
    const post = (length: number): Promise<Answer> =>
      server.request('POST', '/echo', { headers: type, body: body(length) });
    const answers: Promise<Answer>[] = [];
    /** Whether a body is held, and not refused. */
    const isHeld = async (answer: Promise<Answer>, count: number): Promise<boolean> => {
      const begun = async (): Promise<boolean> => {
        while (held() === count) await pause(1);
        return true;
      };
      return Promise.race([begun(), answer.then(() => held() > count)]);
    };
    for (let length = 200 * KIB; length > 64 * KIB;) {
      const count = held();
      const answer = post(length);
      if (await isHeld(answer, count)) answers.push(answer);
      else length -= 4 * KIB;
    }
    const count = held();
    const small = post(1);
    expect(await isHeld(small, count)).toBe(true);
    end();
    expect((await Promise.all([small, ...answers])).map(({ status }) => status)).toEqual(
      [small, ...answers].map(() => 200),
    );
    await server.close();
  });

  test('a body that arrives in small chunks takes little more than its bytes', async () => {
    const handle = (): { status: number; body: object } => ({ status: 200, body: {} });
    const server = await serveContract('media-types.yaml', handle, {});
    const socket = dial(server.port).setNoDelay(true);
    socket.write('POST /echo HTTP/1.1\r\nHost: h\r\nContent-Type: text/css\r\nTransfer-Encoding: chunked\r\n\r\n');
    const sendChunks = async (count: number): Promise<void> => {
      for (let sent = 0; sent < count; sent += 1) {
        socket.write(`46\r\n${' '.repeat(70)}\r\n`);
        // Each in a packet of its own.
        await delay();
        await delay();
      }
    };
    await sendChunks(1_000);
    const before = usedMemory();
    await sendChunks(12_000);
    expect(usedMemory() - before).toBeLessThan(2 * 12_000 * 70 + 256 * KIB);
    expect(socket.bytesRead).toBe(0);
    socket.destroy();
    await server.close();
  });

  /** Expects requests to be refused, once the others have arrived. */
  async function expectOverload(post: () => Promise<{ status: number; headers: object }>): Promise<void> {
    let last: { status: number; headers: object } | undefined;
    for (let count = 0; count < 100 && last?.status !== 503; count += 1) {
      last = await post();
      await pause(10);
    }
    expect(last).toMatchObject({
      ...refused('overloaded'),
      headers: expect.objectContaining({ 'retry-after': '1' }),
    });
  }
});

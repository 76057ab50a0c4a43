import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { EventEmitter, on } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveFixture, type Served } from './support/serve.ts';
import { describeInBrowser, hasRequests } from './support/reference-page.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const run = promisify(execFile);

async function* eventsOf(notes: AsyncIterable<unknown[]>): AsyncGenerator<object> {
  for await (const [data] of notes) yield { data };
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly value?: unknown;
  readonly body?: Readable;
}

function isParts(body: unknown): body is AsyncIterable<Part> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

describeInBrowser('in a browser, the API reference', (docs) => {
  /** What the handlers have received. */
  let received: unknown[];
  let server: Served;
  /** Each of its events is one of a response that does not end. */
  const notes = new EventEmitter();
  const verify = (secret: unknown): Promise<{ name: string }> => {
    received.push(secret);
    return Promise.resolve({ name: 'gardener' });
  };
  const schemes = ['token', 'key', 'login', 'admin', '2keys', 'session', 'provider'];

  const receive = ({ params, query, body }: { params: unknown; query: unknown; body?: unknown }): void => {
    received.push({ params, query, ...(body !== undefined && { body }) });
  };
  const readItems = async ({ body }: { body: AsyncIterable<unknown> }): Promise<{ status: number }> => {
    for await (const item of body) received.push(item);
    return { status: 204 };
  };
  const handlers = {
    listPlants: (request: never) => {
      receive(request);
      return { status: 200, headers: { 'X-Total': 9007199254740993n }, body: [] };
    },
    addPlant: (request: never) => {
      receive(request);
      return { status: 201, body: { kind: 'flower', id: 9007199254740995n, name: 'Rose' } };
    },
    addPicture: async ({ body }: { body: AsyncIterable<{ name: string; value?: unknown; body?: Readable }> }) => {
      for await (const { name, value, body: file } of body) {
        received.push([name, file === undefined ? value : await text(file)]);
      }
      return { status: 204 };
    },
    searchOdd: ({ params, query, cookies }: { params: unknown; query: unknown; cookies: unknown }) => {
      received.push({ params, query, cookies });
      return { status: 204 };
    },
    sendOdd: async ({ body }: { body: unknown }) => {
      if (!isParts(body)) received.push(body);
      else
        for await (const { name, filename, contentType, value, body: file } of body)
          received.push(file === undefined ? [name, value] : [name, filename, contentType, await text(file)]);
      return { status: 204 };
    },
    replacePicture: async ({ contentType, body }: { contentType: string; body: Readable }) => {
      received.push([contentType, await text(body)]);
      return { status: 204 };
    },
    note: ({ body }: { body: unknown }) => {
      received.push(body);
      return { status: 204 };
    },
    readLog: () => ({ status: 200, body: [{ plant: 9007199254740993n, text: 'Grows' }, { plant: 2n }] }),
    sendChanges: readItems,
    replaceLog: readItems,
    follow: () => ({ status: 200, contentType: 'text/event-stream', body: eventsOf(on(notes, 'note')) }),
  };

  beforeAll(async () => {
    const verifiers = Object.fromEntries(schemes.map((scheme) => [scheme, verify]));
    server = await serveFixture('garden.yaml', handlers, { verifiers });
  });
  beforeEach(() => {
    received = [];
  });
  afterAll(() => server.close());

  test('sends parameters of every style, with each int64 exact', async () => {
    await docs.open(server.port);
    await docs.openOperation('List the plants of a bed');
    await docs.token().fill('secret');
    await docs.field('near, one item in each line').fill('9223372036854775807\n-9223372036854775808');
    await docs.field('joined, one item in each line').fill('a|b\nc d');
    await docs.field('filter, JSON').fill('{"colour": "réd & white", "id": 9007199254740993}');
    await docs.field('sort').selectOption('age');
    await docs.field('wild').selectOption('true');
    await docs.field('X-Trace').fill('9007199254740993');
    const { url, headers } = await docs.send();
    expect(url).toBe(
      `${server.url}/beds/9007199254740993/plants?near=9223372036854775807&near=-9223372036854775808&joined=a%7Cb%7Cc%20d` +
        '&filter%5Bcolour%5D=r%C3%A9d%20%26%20white&filter%5Bid%5D=9007199254740993&sort=age&wild=true',
    );
    expect(headers).toContain('x-total: 9007199254740993');
    expect(received).toMatchObject([
      'secret',
      {
        params: { bed: 9007199254740993n },
        query: {
          near: [9223372036854775807n, -9223372036854775808n],
          filter: { colour: 'réd & white', id: 9007199254740993n },
          sort: 'age',
          wild: true,
        },
      },
    ]);
    await docs.field('filter, JSON').fill('{"colour"');
    await docs.page.getByRole('button', { name: 'Send' }).click();
    expect(await docs.page.getByRole('alert').innerText()).toBe('filter must be JSON.');
    expect(docs.complaints).toEqual([]);
  });

  test('sends JSON from a framed editor of fixed width, and shows the examples of the contract and the response with each int64 exact', async () => {
    await docs.open(server.port, '/docs#operation/addPlant');
    await docs.token().fill('secret');
    const editor = docs.field('Body required');
    expect(await editor.inputValue()).toContain('"id": 9223372036854775807');
    const style = 'getComputedStyle(document.querySelector("textarea.body"))';
    expect(await docs.page.evaluate(`${style}.fontFamily`)).toMatch(/monospace$/);
    expect(await docs.page.evaluate(`${style}.borderStyle + ${style}.borderWidth`)).toBe('solid1px');
    await docs.field('Example').selectOption('An oak');
    expect(await editor.inputValue()).toContain('"height": 1');
    await editor.fill('{"kind": "flower", "id": 9007199254740993, "name": "It\'s"}');
    const { status, body } = await docs.send();
    expect({ status, body }).toEqual({
      status: '201 Created',
      body: '{\n  "kind": "flower",\n  "id": 9007199254740995,\n  "name": "Rose"\n}',
    });
    expect(received.at(-1)).toMatchObject({ body: { kind: 'flower', id: 9007199254740993n, name: "It's" } });
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.sample()).toContain('id: 9007199254740993n');
    await docs.page.getByRole('button', { name: 'Python' }).click();
    expect(await docs.sample()).toContain(String.raw`data="{\"kind\": \"flower\", \"id\": 9007199254740993,`);
    await editor.fill('{"id": 0123}');
    expect(await docs.send()).toMatchObject({ status: '400 Bad Request' });
    expect(docs.complaints).toEqual([]);
  });

  test('sends forms and files', async () => {
    await docs.open(server.port, '/docs#operation/addPlant');
    await docs.token().fill('secret');
    await docs.field('Media type').selectOption('application/x-www-form-urlencoded');
    await docs.field('id required').fill('9223372036854775807');
    await docs.field('names, one item in each line').fill('Rose & Co\nOak');
    expect(await docs.send()).toMatchObject({ status: '201 Created' });
    expect(received.at(-1)).toMatchObject({ body: { id: 9223372036854775807n, names: ['Rose & Co', 'Oak'] } });
    await docs.openOperation('Add a picture');
    await docs.field('plant required').fill('9007199254740993');
    await docs.field('about, JSON').fill('{"id": 9223372036854775807}');
    await docs
      .field('picture')
      .setInputFiles({ name: 'a "b".png', mimeType: 'image/png', buffer: Buffer.from('pixels') });
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(received.slice(-3)).toEqual([
      ['plant', 9007199254740993n],
      ['about', { id: 9223372036854775807n }],
      ['picture', 'pixels'],
    ]);
    expect(docs.complaints).toEqual([]);
  });

  test('names a file in samples until a required one is chosen, and sends nothing without it', async () => {
    await docs.open(server.port, '/docs#operation/replacePicture');
    const url = `${server.url}/pictures`;
    expect(await docs.sample()).toBe(
      `curl -X PUT \\\n  -H 'Content-Type: image/png' \\\n  --data-binary '@file' \\\n  ${url}`,
    );
    await docs.page.getByRole('button', { name: 'Send' }).click();
    expect(await docs.page.getByRole('alert').innerText()).toBe('Body is required.');
    expect(await docs.isFocused(docs.field('Body required').and(docs.page.locator('[aria-invalid]')))).toBe(true);
    const file = { name: 'rose.png', mimeType: 'image/png', buffer: Buffer.from('pixels') };
    await docs.field('Body required').setInputFiles(file);
    expect(await docs.sample()).toContain(`--data-binary '@rose.png'`);
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(received).toEqual([['image/png', 'pixels']]);
    await docs.field('Media type').selectOption('multipart/form-data');
    expect(await docs.sample()).toBe(`curl -X PUT \\\n  -F 'picture=@"file"' \\\n  ${url}`);
    await docs.page.getByRole('button', { name: 'Send' }).click();
    expect(await docs.page.getByRole('alert').innerText()).toBe('picture is required.');
    expect(docs.complaints).toEqual([]);
  });

  test('sends one media type of a range: that of the file, or JSON', async () => {
    await docs.open(server.port, '/docs#operation/replacePicture');
    await docs.field('Media type').selectOption('image/*');
    const file = { name: 'rose.gif', mimeType: 'image/gif', buffer: Buffer.from('pixels') };
    await docs.field('Body required').setInputFiles(file);
    expect(await docs.sample()).toContain(`-H 'Content-Type: image/gif'`);
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(received).toEqual([['image/gif', 'pixels']]);
    await docs.field('Media type').selectOption('*/*');
    expect(await docs.sample()).toContain(`-H 'Content-Type: application/json'`);
    expect(docs.complaints).toEqual([]);
  });

  test('leaves out parameters for the headers that OpenAPI says otherwise', async () => {
    await docs.open(server.port, '/docs#operation/replacePicture');
    expect(await docs.page.getByRole('article').innerText()).not.toMatch(/authorization|Content-Type/i);
    expect(await docs.page.locator('.panel label').allInnerTexts()).toEqual(['Media type', 'Body required']);
    expect(docs.complaints).toEqual([]);
  });

  test('offers each way to authenticate, and keeps what was entered for other operations', async () => {
    await docs.open(server.port, '/docs#operation/listPlants');
    await docs.field('Authentication').selectOption('key and login');
    await docs.field('API key (key)').fill('k&y');
    await docs.field('API key (X-Login)').fill('login');
    const { url } = await docs.send();
    expect(url).toContain('?key=k%26y');
    expect(received.slice(0, 2)).toEqual(['k&y', 'login']);
    await docs.openOperation('Write a note');
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    await docs.field('Authentication').selectOption('admin');
    await docs.field('User').fill('Zoë');
    await docs.field('Password').fill('pass:word');
    expect(await docs.field('Password').getAttribute('type')).toBe('password');
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    expect(received.slice(-2)).toEqual([{ username: 'Zoë', password: 'pass:word' }, "It's dry"]);
    await docs.openOperation('Add a plant');
    await docs.field('Authentication').selectOption('key and login');
    expect(await docs.field('API key (X-Login)').inputValue()).toBe('login');
    expect(docs.complaints).toEqual([]);
  });

  test('shows what the items of a stream are, and a stream as it comes', async () => {
    await docs.open(server.port, '/docs#operation/readLog');
    const article = docs.page.getByRole('article');
    await docs.unfold(article.locator('summary', { hasText: '200' }));
    expect(await article.innerText()).toMatch(
      /application\/jsonl, a stream of Entry\s+Each line is one item, as JSON\.\s+What happened to a plant\.\s+plant required\s+integer, int64[^]*\btext\s+string\s+at most 80 characters/,
    );
    expect(await article.locator('figure pre').textContent()).toBe('{"plant":1,"text":"text"}\n');
    expect(await docs.code()).toMatch(/^curl \\\n {2}-N \\/);
    await docs.token().fill('secret');
    expect(await docs.send()).toMatchObject({
      status: '200 OK',
      body: '{"plant":9007199254740993,"text":"Grows"}\n{"plant":2}\n',
    });
    await docs.page.getByRole('button', { name: 'TypeScript' }).click();
    expect(await docs.code()).toContain(
      "await client.GET('/log');\nconsole.log(response.status);\nfor await (const item of data) console.log(item);",
    );
    expect(await docs.faults()).toEqual([]);
    expect(docs.complaints).toEqual([]);
  });

  test('sends each line of the editor as an item, in the format of its stream, and writes the same samples', () =>
    inTemporaryFolder('stream', async (folder) => {
      const env = { TOKEN: 'secret' };
      await docs.open(server.port, '/docs#operation/sendChanges');
      const article = docs.page.getByRole('article');
      expect(await article.innerText()).toMatch(
        /text\/event-stream, a stream of Change\s+Each event is one item\.\s+An entry, or a remark\./,
      );
      await article.locator('summary').first().click();
      await article.getByText('Fields of Entry').first().waitFor();
      expect(await article.innerText()).toMatch(/data\s+JSON text of Entry\s+Fields of Entry/);
      const body = docs.field('Body required, one item in each line, JSON');
      expect(await body.inputValue()).toBe('{"event":"entry","data":{"plant":1,"text":"text"}}');
      await body.fill('{"event":"entry","data":{"plant":9007199254740993}}\n{"event":"remark","data":"Dry.\\nVery."}');
      await docs.page.getByRole('button', { name: 'TypeScript' }).click();
      expect((await docs.code()).replaceAll(/\s+/g, ' ')).toContain(
        "client.POST('/log', { body: [{ event: 'entry', data: { plant: 9007199254740993n } }, " +
          String.raw`{ event: 'remark', data: 'Dry.\nVery.' }], });`,
      );
      const events = 'event: entry\ndata: {"plant":9007199254740993}\n\nevent: remark\ndata: Dry.\ndata: Very.\n\n';
      await docs.page.getByRole('button', { name: 'curl' }).click();
      expect(await docs.code()).toContain(`--data-raw '${events}'`);
      const items = [
        { event: 'entry', data: { plant: 9007199254740993n } },
        { event: 'remark', data: 'Dry.\nVery.' },
      ];
      await docs.token().fill('secret');
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
      await docs.runShell(folder, env);
      expect(received).toEqual(['secret', ...items, 'secret', ...items]);

      await docs.openOperation('Replace the log');
      await body.fill('{"plant":9223372036854775807}\n\n{"plant":1,"text":"é"}');
      const entries = [{ plant: 9223372036854775807n }, { plant: 1n, text: 'é' }];
      for (const type of ['application/json-seq', 'application/x-ndjson']) {
        received = [];
        await docs.field('Media type').selectOption(type);
        await body.fill('{"plant":9223372036854775807}\n\n{"plant":1,"text":"é"}');
        expect(await docs.send()).toMatchObject({ status: '204 No Content' });
        await docs.runShell(folder, env);
        expect(received).toEqual(['secret', ...entries, 'secret', ...entries]);
      }
      // A text that is not JSON is sent as it was typed: the service says what is wrong with it.
      await body.fill('{"plant":}');
      expect(await docs.send()).toMatchObject({ status: '400 Bad Request' });
      expect(docs.complaints).toEqual([]);
    }));

  test('shows events as they come, until it is cancelled', async () => {
    await docs.context.addCookies([{ name: 'session', value: 'mine', url: server.url }]);
    await docs.open(server.port, '/docs#operation/follow');
    expect(await docs.page.locator('.panel .note').innerText()).toContain('cookie session');
    expect(await docs.sample()).toContain('-b "session=$API_KEY"');
    await docs.page.getByRole('button', { name: 'Send' }).click();
    await docs.page.getByRole('status').filter({ hasText: '200' }).waitFor();
    for (const note of ['one', 'two']) {
      notes.emit('note', note);
      await docs.page.locator('.response-body', { hasText: note }).waitFor();
    }
    await docs.page.getByRole('button', { name: 'Cancel' }).click();
    await docs.page.getByRole('button', { name: 'Send' }).waitFor();
    expect(await docs.page.locator('.response-body').innerText()).toMatch(/one[^]*two/);
    expect(await docs.page.locator('.response [role="status"]').innerText()).toMatch(/^200 OK · \d+ ms · cancelled$/);
    expect(await docs.page.getByRole('alert').innerText()).toBe('');
    expect(received).toEqual(['mine']);
    await docs.context.clearCookies();
    expect(docs.complaints).toEqual([]);
  });

  test('writes samples that show events as they come', async () => {
    await docs.open(server.port, '/docs#operation/follow');
    const ticks = setInterval(() => notes.emit('note', 'tick'), 100).unref();
    const languages: [string, string, string[]][] = [
      ['curl', 'sh', ['-c']],
      ['TypeScript', process.execPath, ['--input-type=module', '-e']],
      ['Python', 'python3', ['-c']],
    ];
    for (const [language, command, options] of languages.filter(([name]) => hasRequests || name !== 'Python')) {
      await docs.page.getByRole('button', { name: language }).click();
      const started = spawn(command, [...options, (await docs.code()).replace(/^curl/, 'exec curl -sS')], {
        env: { ...process.env, API_KEY: 'mine' },
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 60_000,
      });
      let out = '';
      for await (const bytes of started.stdout) {
        out += String(bytes);
        if (out.includes('tick')) break;
      }
      started.kill();
      expect([language, out]).toEqual([language, expect.stringContaining('tick')]);
    }
    clearInterval(ticks);
  });

  test('writes curl samples that a shell can run, with the same effect', async () => {
    await docs.open(server.port, '/docs#operation/addPlant');
    await docs.field('Example').selectOption('An oak');
    const env = { ...process.env, TOKEN: 'secret', API_USER: 'Zoë', API_PASSWORD: 'pass:word', KEY: 'k', LOGIN: 'l' };
    const shell = async (): Promise<string> =>
      (await run('sh', ['-c', (await docs.sample()).replace('curl', 'curl -s')], { env })).stdout;
    expect(await shell()).toContain('9007199254740995');
    expect(received.at(-1)).toMatchObject({ body: { id: -9223372036854775808n, name: `Oak's "top"` } });
    await docs.openOperation('Write a note');
    await docs.field('Authentication').selectOption('admin');
    await shell();
    expect(received.slice(-2)).toEqual([{ username: 'Zoë', password: 'pass:word' }, "It's dry"]);
    await docs.openOperation('List the plants of a bed');
    await docs.field('Authentication').selectOption('key and login');
    await docs.field('near, one item in each line').fill('9007199254740993');
    expect(await shell()).toBe('[]');
    expect(received.slice(-3)).toMatchObject(['k', 'l', { query: { near: [9007199254740993n] } }]);
    await docs.openOperation('Add a picture');
    await docs.field('plant required').fill('9007199254740993');
    await docs.field('about, JSON').fill('{"id": 9223372036854775807}');
    await shell();
    expect(received.slice(-2)).toEqual([
      ['plant', 9007199254740993n],
      ['about', { id: 9223372036854775807n }],
    ]);
    expect(docs.complaints).toEqual([]);
  });

  test('sends and writes in each language what is odd: nested values, dots, secrets and cookies that need encoding', async () => {
    await docs.open(server.port, '/docs#operation/searchOdd');
    const key = 'k+/= &y';
    await docs.field('API key (k&y)').fill(key);
    await docs.field('API key (X-Login)').fill('me');
    await docs.field('way required, one item in each line').fill("a.b\nIt's $HOME");
    await docs.field('where, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}\n');
    await docs.field('only, one item in each line').fill('9223372036854775807\n-1');
    await docs.field('dry').selectOption('true');
    await docs.field('most').fill('9007199254740993');
    expect(await docs.page.getByText('A browser sends no body with GET.').count()).toBe(1);
    expect(await docs.field('Body').count()).toBe(0);
    expect(await docs.page.getByRole('article').innerText()).toMatch(
      /most[^]*-9223372036854775808 … 9223372036854775807/,
    );
    const request = {
      params: { way: ['a.b', "It's $HOME"] },
      query: {
        where: [{ id: 9007199254740993n }, { id: 2n }],
        only: [9223372036854775807n, -1n],
        dry: true,
        most: 9007199254740993n,
      },
    };
    await docs.context.addCookies([{ name: 'theme', value: 'x', url: server.url }]);
    expect(await docs.send()).toMatchObject({ status: '204 No Content' });
    await docs.context.clearCookies();
    expect(received).toMatchObject([key, 'me', request]);
    received = [];
    // Python's requests decodes %2E.
    await docs.field('way required, one item in each line').fill("It's $HOME\n€");
    await docs.runSamples('/', { _2KEYS: key, LOGIN: 'me' });
    const whole = { ...request, params: { way: ["It's $HOME", '€'] }, cookies: { theme: 'mild & "dark"' } };
    const once = [key, 'me', whole];
    expect(received).toMatchObject([...once, ...once, ...(hasRequests ? once : [])]);
    expect(docs.complaints).toEqual([]);
  });

  test('sends and writes in each language parts of odd names and texts, files with their types', () =>
    inTemporaryFolder('reference', async (folder) => {
      const [name, drawing] = [`It's "a" \\ rosé.png`, 'oak'];
      await writeFile(join(folder, name), 'pixels');
      await writeFile(join(folder, drawing), 'lines');
      await docs.open(server.port, '/docs#operation/sendOdd');
      const note = `It's "a" \\ $HOME\t\`x\` €😀 ;type=x`;
      await docs.field('note').fill(note);
      await docs.field('ids, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}');
      await docs.field('picture').setInputFiles(join(folder, name));
      await docs.field('drawing').setInputFiles(join(folder, drawing));
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
      const parts = [...received];
      expect(parts).toMatchObject([
        ['note', note],
        ['ids', { id: 9007199254740993n }],
        ['ids', { id: 2n }],
        ['picture', expect.stringMatching(/rosé\.png$/), 'image/png', 'pixels'],
        ['drawing', drawing, 'application/x-drawing', 'lines'],
      ]);
      received = [];
      await docs.runSamples(folder, {});
      const unnamed = (all: unknown[]): unknown[] =>
        all.map((part) => (Array.isArray(part) && part.length === 4 ? part.toSpliced(1, 1) : part));
      expect(unnamed(received)).toEqual(unnamed([...parts, ...parts, ...(hasRequests ? parts : [])]));
      await docs.field('Media type').selectOption('application/x-www-form-urlencoded');
      await docs.field('ids, one item in each line').fill('{"id": 9007199254740993}\n{"id": 2}');
      received = [];
      expect(await docs.send()).toMatchObject({ status: '204 No Content' });
      expect(received).toEqual([{ ids: [{ id: 9007199254740993n }, { id: 2n }] }]);
      expect(docs.complaints).toEqual([]);
    }));

  test('keeps ids in parameters and examples exact where the contract is served under another path', async () => {
    const near: unknown[] = [];
    const answering = (id: bigint) => (request: never) => {
      near.push(request);
      return { status: 200, body: { id } };
    };
    const under = await serveFixture('awkward-text.yaml', {
      getPlant: answering(-9223372036854775807n),
      createPlant: answering(9007199254740995n),
    });
    await docs.open(under.port, '/docs#operation/getPlant');
    expect(await docs.field('id required').inputValue()).toBe('9007199254740993');
    await docs.field('near').fill('-9223372036854775808');
    const read = await docs.send();
    expect(read.url).toBe(`${under.url}/base/plants/9007199254740993?near=-9223372036854775808`);
    expect(read.body).toBe('{\n  "id": -9223372036854775807\n}');
    expect(near).toMatchObject([{ params: { id: 9007199254740993n }, query: { near: -9223372036854775808n } }]);
    await docs.openOperation('createPlant');
    expect(await docs.page.locator('textarea.body').inputValue()).toBe('{\n  "id": 9223372036854775807\n}');
    expect(docs.complaints).toEqual([]);
    await under.close();
  });
});

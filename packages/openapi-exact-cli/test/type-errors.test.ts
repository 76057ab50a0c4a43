import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Operations as `openapi-exact generate` writes them. */
const OPERATIONS = `
interface Any { [name: string]: unknown }
interface Message { headers: Any; content: { 'application/json': { message: string } } }
export interface operations {
  getBed: {
    parameters: { query?: never; header?: never; path: { id: bigint }; cookie?: never };
    requestBody?: never;
    responses: {
      200: { headers: Any; content: { 'application/json': { id: bigint; name: string } } };
      204: { headers: Any; content?: never };
      404: Message;
      503: { headers: { 'Retry-After': number; [name: string]: unknown }; content: Message['content'] };
    };
  };
  listBeds: {
    parameters: { query?: { limit?: number }; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Any; content: { 'application/json': bigint[] } }; '4XX': Message; default: Message };
  };
}
export interface photos {
  getPhoto: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: { 200: { headers: Any; content: { 'image/png': string; 'image/jpeg': string } }; 404: Message };
  };
}
`;

const HEAD = `import type { Checks, Handler, Handlers, OperationResponse } from 'openapi-exact';
import type { operations } from './openapi.ts';
type GetBed = Handlers<Pick<operations, 'getBed'>>;
const failure = { message: 'There is no bed 1.' };
declare const gone: { status: 410; body: { message: string } };
`;

const VALID = `
export const handlers: Handlers<operations> = {
  getBed: async ({ params: { id } }) => {
    if (id === 1n) return { status: 204, headers: {} };
    if (id === 2n) return id > 1n ? { status: 404, body: failure } : { status: 200, body: { id, name: '' } };
    return { status: 503, headers: { 'Retry-After': 1 }, body: failure };
  },
  listBeds: ({ query: { limit } }) => ({ status: limit === 1 ? 404 : 500, body: failure }),
};
export const arrows = {
  getBed: async ({ params: { id } }) => (id === 1n ? { status: 204 } : { status: 404, body: failure }),
  listBeds: async ({ query }) => (query.limit === 1 ? { status: 200, body: [1n] } : { status: 418, body: failure }),
} satisfies Handlers<operations>;
export const checks: Checks<operations> = {
  getBed: async ({ params: { id } }) => (id === 1n ? undefined : { status: 404, body: failure }),
  listBeds: () => undefined,
};
export const handler: Handler<operations['getBed']> = handlers.getBed;
export const known = async (response: OperationResponse<operations['getBed']>): Promise<number> => {
  if (response.status === 200) return response.body.name.length;
  return handlers.listBeds === undefined ? response.status : response.headers === undefined ? 0 : 1;
};
`;

const STATUSES = /"getBed",(?=.*\b200\b)(?=.*\b204\b)(?=.*\b404\b)(?=.*"503 with Retry-After")/;

/** Mistakes in a handler, each with what the first line of its error says. */
const MISTAKES: readonly (readonly [name: string, handler: string, said: readonly RegExp[]])[] = [
  ['an undeclared status', '() => ({ status: 410, body: failure })', [/status: 410/, STATUSES]],
  ['an undeclared status, made elsewhere', '() => gone', [/status: 410/, STATUSES]],
  ['an undeclared status, later', 'async () => ({ status: 410, body: failure })', [/status: 410/, STATUSES]],
  [
    'an undeclared status, beside a declared one',
    'async ({ params: { id } }) => (id === 1n ? { status: 204 } : { status: 410, body: failure })',
    [/status: 410/, STATUSES],
  ],
  [
    'an undeclared status, in a body with several returns',
    'async ({ params: { id } }) => { if (id === 1n) return { status: 204 }; return { status: 410, body: failure }; }',
    [/status: 410/, STATUSES],
  ],
  ['a header that is missing', '() => ({ status: 503, body: failure })', [/status: 503/, STATUSES]],
  [
    'a header that is missing, in a body with several returns',
    'async ({ params: { id } }) => { if (id === 1n) return { status: 204 }; return { status: 503, body: failure }; }',
    [/status: 503/, STATUSES],
  ],
  [
    'a header that is misspelt',
    "() => ({ status: 503, headers: { 'Retry-Afer': 1 }, body: failure })",
    [/Retry-Afer\b/, /Retry-After/],
  ],
  [
    'a header where none is declared',
    "async () => ({ status: 204, headers: { 'X-A': 1 } })",
    [/'X-A': number/, STATUSES],
  ],
  ['a body that is missing', '() => ({ status: 404 })', [/status: 404; }/, STATUSES]],
  [
    'a property of the body that is missing',
    '() => ({ status: 200, body: { id: 1n } })',
    [/id: bigint/, /name|"getBed"/],
  ],
  ['a property of the body that is misspelt', "() => ({ status: 404, body: { mesage: '' } })", [/mesage/]],
  [
    'a number for an int64',
    "() => ({ status: 200, body: { id: 1, name: '' } })",
    [/'number' .*'bigint'|id: number.*"getBed"/],
  ],
  [
    'a body where none is declared',
    '() => ({ status: 204, body: failure })',
    [/The contract declares no body for this status|status: 204; body: .*"getBed"/],
  ],
  [
    'a parameter that does not exist',
    '({ params: { bedId } }) => ({ status: bedId === 1n ? 204 : 204 })',
    [/Property 'bedId' does not exist on type '{ id: bigint; }'/],
  ],
  ['no response', '() => {}', [/"getBed"/]],
];

/** Mistakes around handlers. */
const OTHERS: typeof MISTAKES = [
  [
    'a wrong body of a handler that names its operation itself',
    "export const h: Handler<operations['getBed']> = async () => ({ status: 404, body: { message: 1 } });",
    [/status: 404; body: { message: number; }/, /(?=.*\b200\b)(?=.*\b204\b)(?=.*"503 with Retry-After")/],
  ],
  [
    'an undeclared status of a check',
    'export const c: Checks<operations> = { getBed: async () => ({ status: 410, body: failure }) };',
    [/status: 410/, STATUSES],
  ],
  ...["contentType: 'image/gif', ", ''].map((contentType): (typeof MISTAKES)[number] => [
    'a media type that is missing or undeclared',
    `import type { photos } from './openapi.ts'; export const h: Handlers<photos> = { getPhoto: async () => ({ status: 200, ${contentType}body: new Uint8Array() }) };`,
    [/(?=.*"200 with contentType image\/png")(?=.*"200 with contentType image\/jpeg")(?=.*\b404\b)/],
  ]),
  ['a handler that is missing', 'export const h: GetBed = {};', [/Property 'getBed' is missing/]],
  [
    'a handler for an unknown operation',
    'export const h: Handlers<operations> = { getBed: () => ({ status: 204 }), listBeds: () => ({ status: 200, body: [] }), dig: () => ({ status: 204 }) };',
    [/'dig' does not exist in type 'Handlers<operations/],
  ],
];

/** Compilers run beside the other tests; in milliseconds. */
const TIMEOUT = 300_000;

/** What the last line says of an undeclared status, wherever it stands. */
const UNDECLARED = /The contract does not declare this status for this operation\./;

/** Compiles these files. @returns the messages of each, a line in an array. */
async function compile(compiler: string, files: readonly string[]): Promise<Map<number, string[]>> {
  return inTemporaryFolder('type-errors', async (folder) => {
    await writeFile(join(folder, 'openapi.ts'), OPERATIONS);
    for (const [index, text] of files.entries()) await writeFile(join(folder, `handlers-${index}.ts`), HEAD + text);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    // The types that were built before the tests, as users have them.
    const paths = { 'openapi-exact': [join(ROOT, 'packages/openapi-exact/dist/index.d.ts')] };
    const compilerOptions = {
      paths,
      ...{ typeRoots: [join(ROOT, 'node_modules/@types')], noUnusedLocals: false, noUnusedParameters: false },
    };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
    const { stdout } = await startProcess(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder })
      .ended;
    const messages = new Map<number, string[]>();
    let lines: string[] = [];
    for (const line of stdout.trimEnd().split('\n')) {
      const [, index, text] = /^handlers-(\d+)\.ts\(\d+,\d+\): error TS\d+: (.*)$/.exec(line) ?? [];
      if (index === undefined || text === undefined) lines.push(line);
      else messages.set(Number(index), (lines = [...(messages.get(Number(index)) ?? []), text]));
    }
    return messages;
  });
}

test.each(['typescript', 'typescript-7'])(
  'the first line of a type error in a handler shows the response and what the contract declares for the operation (%s)',
  async (compiler) => {
    const rows = [
      ...MISTAKES.map(([name, text, said]) => [name, `export const h: GetBed = { getBed: ${text} };`, said] as const),
      ...OTHERS,
    ];
    const messages = await compile(compiler, [...rows.map(([, text]) => text), VALID]);
    for (const [index, [name, , said]] of rows.entries()) {
      const [first = '', ...others] = messages.get(index) ?? [];
      for (const pattern of said) expect([name, first]).toEqual([name, expect.stringMatching(pattern)]);
      if (name.startsWith('an undeclared'))
        expect([name, others.at(-1)]).toEqual([name, expect.stringMatching(UNDECLARED)]);
    }
    expect(messages.get(rows.length)).toBeUndefined();
  },
  TIMEOUT,
);

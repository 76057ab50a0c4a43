import { expect, test } from '@jest/globals';
import { inspect } from 'node:util';
import { loadContract } from '../src/server/load-contract.ts';
import { ContractError, problemLine } from '../src/errors/diagnostic.ts';
import { ConfigurationError } from '../src/errors/errors.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { reviewContract } from 'openapi-exact-cli';
import { withFiles } from 'test-support/contract-files.ts';
import { contract, encoded, operation, REFUSED, RESPONSES, schema } from './support/refused-contracts.ts';

/** What a start with these files, and what `npm run generate`, refuses. */
async function refusals(files: Readonly<Record<string, string>>): Promise<{ start: string[]; check: string[] }> {
  return withFiles(files, async (file) => {
    const folder = new URL('.', file).pathname;
    const linesOf = async (checked: Promise<unknown>): Promise<string[]> => {
      const error: unknown = await checked.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ContractError);
      // The assertion above has shown it.
      const { lines } = error as ContractError;
      // What Node prints of an uncaught error has each line once.
      for (const line of lines) expect(inspect(error, { depth: 5 }).split(line)).toHaveLength(2);
      return lines.map((line) => line.replace(folder, ''));
    };
    const handlers = { getThing: () => ({ status: 204 }) };
    const start = loadContract(file).then((loaded) =>
      contractMiddleware({ contract: loaded, handlers, verifiers: {} }),
    );
    const { errors } = await reviewContract(file);
    return { start: await linesOf(start), check: errors.map((problem) => problemLine(problem).replace(folder, '')) };
  });
}

const expectedLines = (places: readonly string[]): unknown[] =>
  places.map((place) => expect.stringContaining(`${place}: error: `));

test.each(REFUSED)(
  '$what is refused with every place, by the start and by generate',
  async ({ text, refusals: expected }) => {
    const { start, check } = await refusals({ 'openapi.yaml': text });
    expect(start).toEqual(expectedLines(expected.map(([place]) => place)));
    expect(check).toHaveLength(start.length);
    for (const [index, [place, reason]] of expected.entries()) {
      expect(start[index]).toContain(reason);
      // A review names the misspelt key that causes a refusal, in the same line.
      expect(check[index]).toContain(place.replace(/:\d+$/, ':'));
      expect(check[index]).toContain(reason);
    }
  },
);

test.each([
  ['Content-Type of a response', `responses: { '204': { description: None., headers: { Content-Type: STYLED } } }`],
  ['Set-Cookie of a response', `responses: { '204': { description: None., headers: { set-cookie: STYLED } } }`],
  ['Content-Type of a part', encoded('multipart/form-data', 'content-type')],
  ['a field of a form', encoded('application/x-www-form-urlencoded', 'X-Count')],
])('the header %s is not read, so that its style is no reason to refuse', async (_what, text) => {
  const styled = operation(text.replace('STYLED', '{ style: form, schema: { type: string } }'));
  const operations = await withFiles({ 'openapi.yaml': styled }, async (file) => {
    const { operations } = await loadContract(file);
    return operations;
  });
  expect(operations.map(({ id }) => id)).toEqual(['getThing']);
});

test('all problems are reported at once, each with its own file', async () => {
  const files = {
    'openapi.yaml': contract(`  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: session, in: cookie, style: simple, schema: { type: string } }
        - $ref: 'parts/parts.yaml#/filter'
      ${RESPONSES}
  /things/{name}: { $ref: 'parts/item.yaml' }`),
    'parts/item.yaml': `post:
  operationId: getThing
  parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
  requestBody: { content: { application/json: { schema: { $ref: 'parts.yaml#/ids' } } } }
  ${RESPONSES}
`,
    'parts/parts.yaml': `# Parts of several operations.
filter: { name: filter, in: query, style: matrix, schema: { type: object } }
ids: { properties: { id: { type: integer, format: int64 }, name: { type: text, pattern: '[' }, own: { $ref: '#/own' } } }
own: { not: { $ref: '#/own' } }
`,
  };
  const places = [
    'openapi.yaml:9:40',
    'parts/item.yaml:2:3',
    'parts/parts.yaml:2:36',
    'parts/parts.yaml:3:68',
    'parts/parts.yaml:3:80',
    'parts/parts.yaml:4:15',
  ];
  expect((await refusals(files)).check).toEqual(expectedLines(places));
});

/** Schemas that each refer to the next one, on lines of their own. */
function chained(length: number, schemaWith: (next: string) => string, last = '{ type: string }'): string {
  const all = Array.from({ length }, (_, at) => schemaWith(`'#/components/schemas/S${at + 1}'`));
  return schema([...all, last].map((text, at) => `S${at}: ${text}`).join(',\n      '));
}

const extending = (next: string): string => `{ allOf: [{ $ref: ${next} }] }`;
const CIRCLE = chained(300, extending, extending(`'#/components/schemas/S0'`));

test.each([
  ['a long chain of references', chained(300, (next) => `{ $ref: ${next} }`), 'behind more than 250 references'],
  ['a long chain of extensions', chained(300, extending), 'behind more than 250 references'],
  ['a long circle of extensions', CIRCLE, 'leads back to itself'],
  [
    'alternatives that double at each level',
    chained(40, (next) => `{ oneOf: [{ $ref: ${next} }, { $ref: ${next} }] }`),
    'more than 10000 times',
  ],
  ['YAML that is nested too deeply', `${contract('  {}')}x-deep:\n  ${'- '.repeat(5000)}a\n`, 'nested too deeply'],
])('%s is refused at once, with the way out', async (_what, text, reason) => {
  const { start, check } = await refusals({ 'openapi.yaml': text });
  expect(start).toEqual(check);
  expect(new Set(check.map((line) => line.replace(/:\d+:\d+:/, ':')))).toEqual(
    new Set([expect.stringMatching(new RegExp(`^openapi.yaml: error: .*${reason}.*: .*\\.$`))]),
  );
});

test('each dangling reference is reported with its own file', async () => {
  const files = {
    'openapi.yaml': operation(
      `parameters: [{ $ref: 'parts.yaml#/nothing' }, { $ref: 'none.yaml' }, { $ref: '#/components/parameters/Id' },
    { $ref: 'parts.yaml#/filter' }], ${RESPONSES}`,
    ),
    'parts.yaml': "filter: { name: filter, in: query, schema: { $ref: '#/gone' } }\n",
  };
  const { start, check } = await refusals(files);
  const expected = [
    ['openapi.yaml:4:57', 'parts.yaml#/nothing'],
    ['openapi.yaml:4:90', 'none.yaml'],
    ['openapi.yaml:4:113', '#/components/parameters/Id'],
    ['parts.yaml:1:46', '#/gone'],
  ] as const;
  expect(start).toEqual(expectedLines(expected.map(([place]) => place)));
  for (const [index, [, name]] of expected.entries()) expect(start[index]).toContain(name);
  expect(check).toEqual(start);
});

/** A contract with one operation. */
const own = await withFiles(
  {
    'openapi.yaml': contract(
      "  /notes/{id}: { delete: { operationId: deleteNote, responses: { '204': { description: Gone. } } } }",
      'security: [{ bearerAuth: [] }]\ncomponents: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }\n',
    ),
  },
  loadContract,
);
const handlers = { deleteNote: () => ({ status: 204 }) };
const verifiers = { bearerAuth: () => Promise.resolve({ name: 'anybody' }) };
const start = (change: Partial<MiddlewareOptions>): Promise<unknown> =>
  contractMiddleware({ contract: own, handlers, verifiers, ...change });

/** The contract with another name or security of its operation. */
const withOperation = (change: object): typeof own => ({
  ...own,
  operations: own.operations.map((operation) => ({ ...operation, ...change })),
});
const INHERITED = withOperation({ id: 'toString' });
const { document } = own;
const securitySchemes = {
  ...document.components?.securitySchemes,
  keyAuth: { type: 'apiKey', in: 'header', name: 'key' },
};
const unused = { ...own, document: { ...document, components: { ...document.components, securitySchemes } } };

test.each<[what: string, start: () => Promise<unknown>, name: string]>([
  ['without a handler for an operation', () => start({ handlers: {} }), 'deleteNote (DELETE /notes/{id})'],
  ['with an inherited property for a handler', () => start({ contract: INHERITED, handlers: {} }), 'toString (DELETE'],
  [
    'with a handler without an operation',
    () => start({ handlers: { ...handlers, water: handlers.deleteNote } }),
    "'water'",
  ],
  ['without a verifier for a security scheme: it never fails open', () => start({ verifiers: {} }), "'bearerAuth'"],
  ['without a verifier for a scheme that no operation asks for yet', () => start({ contract: unused }), "'keyAuth'"],
  ...['toString', 'constructor', '__proto__'].map((name): [string, () => Promise<unknown>, string] => [
    `with a security scheme named ${name}, which every object inherits`,
    () => start({ contract: withOperation({ security: [Object.fromEntries([[name, []]])] }) }),
    `'${name}'`,
  ]),
  ['without its contract', () => loadContract(new URL('file:///nowhere/none.yaml')), 'none.yaml'],
])('the service does not start %s, and one line says so', async (_what, started, name) => {
  const thrown: unknown = await started().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ConfigurationError);
  // The assertion above has shown it.
  const { message } = thrown as ConfigurationError;
  expect(message).toContain(name);
  expect(message).not.toContain('\n');
});

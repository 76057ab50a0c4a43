import { expect, test } from '@jest/globals';
import { serveContract } from './support/contract-server.ts';
import { withFiles } from 'test-support/contract-files.ts';

const LARGE = '9007199254740993';
const HUGE = '123456789012345678901234567890';
const FRACTION = '0.12345678901234567890123';

/** Schemas that name large numbers in each way there is, in YAML. */
const SCHEMAS: Readonly<Record<string, string>> = {
  minimum: `{ type: integer, minimum: ${LARGE} }`,
  bounds: `{ type: number, exclusiveMinimum: ${HUGE}, exclusiveMaximum: ${HUGE}1 }`,
  multiple: `{ type: integer, format: int64, multipleOf: ${LARGE} }`,
  decimal: `{ type: number, maximum: ${FRACTION} }`,
  enum: `{ enum: [${LARGE}, ${HUGE}, 5] }`,
  constant: `{ const: ${LARGE} }`,
  objects: `{ enum: [{ a: ${HUGE} }, [${LARGE}]] }`,
  property: `{ type: object, properties: { a: { const: ${LARGE} } }, additionalProperties: { const: ${HUGE} } }`,
  names: `{ type: object, propertyNames: { enum: ['${LARGE}'] } }`,
  choice: `{ oneOf: [{ const: ${LARGE} }, { type: object, required: [a], properties: { a: { const: ${HUGE} } } }] }`,
  condition: `{ if: { const: ${LARGE} }, then: { const: 5 }, else: { const: ${HUGE} } }`,
  negation: `{ not: { enum: [${LARGE}, ${HUGE}] } }`,
  item: `{ type: array, contains: { const: ${LARGE} } }`,
  items: `{ type: array, uniqueItems: true, items: { type: object }, minItems: 1 }`,
  readOnly: `{ type: object, properties: { a: { type: integer, readOnly: true } } }`,
  length: `{ type: string, minLength: ${HUGE} }`,
};
const VALUES = [
  ...[LARGE, `-${LARGE}`, HUGE, FRACTION, '5', '1e300', '1e400', '"x"', '[]', `[${LARGE}]`, `[${HUGE},${HUGE}]`],
  ...['{}', `{"a":${LARGE}}`, `{"b":${HUGE}}`, `{"${LARGE}":${HUGE}}`, `[{"a":${LARGE}},{"a":${LARGE}}]`],
];
/** The stand-ins of numbers that doubles do not hold, and the names of formats that check them. */
const STAND_IN = /\de\+30[01]|#evaluated|#repeated|\brule \d|\bevaluation \d/;

test('no message, log or name shows what stands for a number', async () => {
  const paths = Object.entries(SCHEMAS).map(
    ([name, schema]) => `
  /${name}:
    post:
      parameters: [{ name: q, in: query, content: { application/json: { schema: ${schema} } } }]
      requestBody: { content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: Done. }, '200': { description: Same., content: { application/json: { schema: ${schema} } } } }`,
  );
  const contract = `openapi: 3.1.0\ninfo: { title: Numbers, version: 1.0.0 }\npaths:${paths.join('')}\n`;
  const logged: string[] = [];
  let answer: { status: number; body?: unknown } = { status: 204 };
  const server = await withFiles({ 'openapi.yaml': contract }, (file) =>
    serveContract(
      file,
      () => answer,
      {},
      {
        onError: ({ error }) => {
          logged.push(error instanceof Error ? `${error.message}${String(error.stack)}` : String(error));
          return undefined;
        },
      },
    ),
  );
  const headers = { 'Content-Type': 'application/json' };
  for (const name of Object.keys(SCHEMAS)) {
    for (const body of VALUES) {
      answer = { status: 204 };
      // A refusal names the faults of the query and of the body.
      logged.push((await server.request('POST', `/${name}?q=${encodeURIComponent(body)}`, { headers, body })).text);
    }
    for (const body of [BigInt(LARGE), BigInt(HUGE), { a: BigInt(LARGE) }, [BigInt(HUGE)], 5.5, 'x']) {
      answer = { status: 200, body };
      logged.push((await server.request('POST', `/${name}`)).text);
    }
  }
  await server.close();
  expect(logged.filter((text) => STAND_IN.test(text))).toEqual([]);
  const all = logged.join('\n');
  for (const number of [LARGE, HUGE]) expect(all).toContain(number);
});

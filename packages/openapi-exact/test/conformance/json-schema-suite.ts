import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'lossless-json';
import { ConfigurationError } from '../../src/errors/errors.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import { HttpClient } from 'test-support/http-client.ts';
import { serveMiddleware } from '../support/serve-middleware.ts';

/** A schema of the suite, with values that it allows or refuses. */
interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** How the values of the suite were judged. */
export interface SuiteResult {
  readonly passed: number;
  /** Values that were judged otherwise than the suite says. */
  readonly differing: readonly string[];
  /** Values that the library judges otherwise on purpose. */
  readonly documented: readonly string[];
  /** Groups whose contract was refused, with the reason. */
  readonly refused: readonly string[];
}

/** Stands for `__proto__`, which lossless-json drops. */
const PROTO = '\uE000';

const FOLDER = 'tests/draft2020-12';

/** The optional parts that are about JSON and its patterns. */
const OPTIONAL = ['bignum', 'ecmascript-regex', 'float-overflow', 'non-bmp-regex'];
/** The formats that are checked. */
const FORMATS = [
  ...['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'json-pointer', 'regex', 'time', 'uri'],
  ...['uri-reference', 'uuid'],
];

/** Where docs/contracts.md and docs/security.md promise something else than the suite. */
const DOCUMENTED = [
  // Formats are checked.
  / is only an annotation by default$/,
  // An integer beyond 2^53 needs a format or a bound.
  /^optional\/bignum\.json: /,
  /^optional\/float-overflow\.json: /,
  // A property __proto__ is refused.
  /Javascript object property names: all present/,
  // All vocabularies apply.
  /^vocabulary\.json: .* no validation vocabulary: /,
];

/**
 * Serves each schema of the JSON Schema Test Suite for OpenAPI 3.1 as that of a request body, and
 * sends the values of its tests.
 * @param suite a clone of https://github.com/json-schema-org/JSON-Schema-Test-Suite.
 * @param folder where the contract of each schema is written.
 */
export async function testJsonSchemas(suite: string, folder: string): Promise<SuiteResult> {
  const result = { passed: 0, differing: [] as string[], documented: [] as string[], refused: [] as string[] };
  const files = (await readdir(join(suite, FOLDER))).filter((file) => file.endsWith('.json'));
  const optional = [...OPTIONAL, ...FORMATS.map((name) => `format/${name}`)].map((name) => `optional/${name}.json`);
  for (const file of [...files.toSorted(), ...optional]) {
    const text = await readFile(join(suite, FOLDER, file), 'utf8');
    // The suite has a schema for its files.
    for (const group of parse(text.replaceAll('__proto__', PROTO)) as readonly Group[]) {
      const name = `${file}: ${group.description}`;
      try {
        for (const [test, isRight] of await verdicts(group, folder)) {
          const value = `${name}: ${test}`;
          if (isRight) result.passed++;
          else if (DOCUMENTED.some((pattern) => pattern.test(value))) result.documented.push(value);
          else result.differing.push(value);
        }
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        result.refused.push(`${name}: ${error.message.replaceAll(`${folder}/`, '').replaceAll(/\s+/g, ' ')}`);
      }
    }
  }
  return result;
}

/**
 * The tests of a group, and whether each is judged as the suite says.
 * @throws ConfigurationError for a schema that cannot be served.
 */
async function verdicts({ schema, tests }: Group, folder: string): Promise<readonly [string, boolean][]> {
  // References with a fragment alone start at the root of its own file.
  await writeFile(join(folder, 'schema.json'), jsonOf(schema));
  const requestBody = { required: true, content: { 'application/json': { schema: { $ref: 'schema.json' } } } };
  const post = { operationId: 'judge', requestBody, responses: { '204': { description: 'Valid.' } } };
  const info = { title: 'JSON Schema', version: '1.0.0' };
  const file = join(folder, 'openapi.json');
  await writeFile(file, jsonOf({ openapi: '3.1.0', info, paths: { '/': { post } } }));
  const contract = await loadContract(pathToFileURL(file));
  const server = await serveMiddleware({ contract, handlers: { judge: () => ({ status: 204 }) } });
  const client = new HttpClient(server.port);
  const headers = { 'Content-Type': 'application/json' };
  try {
    const made: [string, boolean][] = [];
    for (const { description, data, valid } of tests) {
      const { status } = await client.request('POST', '/', { headers, body: jsonOf(data) });
      made.push([description, status === (valid ? 204 : 400)]);
    }
    return made;
  } finally {
    client.close();
    await server.close();
  }
}

/** JSON with its numbers as the suite writes them. */
function jsonOf(value: unknown): string {
  return (stringify(value) ?? '').replaceAll(PROTO, '__proto__');
}

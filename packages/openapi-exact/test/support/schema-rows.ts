import { expect } from '@jest/globals';
import type { ResponseValue } from '../../src/respond.ts';
import { serveContract, type Answer } from './contract-server.ts';
import { withFiles } from './inline-contract.ts';

/**
 * A schema, bodies that it allows and bodies that it refuses, each list with spaces between them.
 * `1n` is sent as 1 and given to the handler as a bigint; behind an arrow is what else it is given.
 */
export type Row = readonly [name: string, schema: string, valid: string, invalid: string];

/** Reads rows: a name and its schema, then valid bodies after `✓` and invalid ones after `✗`. */
export function rowsOf(table: string): Row[] {
  const rows = table.trim().split(/\n(?! )/);
  return rows.map((row) => {
    const [, name = '', ...columns] = /^(.*?):\s+(.*?)\s+✓ (.*?)\s+✗ (.*)$/s.exec(row) ?? [];
    const [schema = '', valid = '', invalid = ''] = columns.map((column) => column.replaceAll(/\s+/g, ' '));
    return [name, schema, valid, invalid];
  });
}

/** What is sent of a valid body, and what the handler is given. */
function read(valid: string): { sent: string; given: unknown } {
  const [written = '', given = written] = valid.split('→');
  const marked = given.replaceAll(/-?\d+n/g, '"$&"');
  const exact = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;
  return { sent: written.replaceAll(/(?<=\d)n/g, ''), given: JSON.parse(marked, exact) };
}

/** The valid bodies of a row. */
export const bodiesOf = ([, , valid]: Row): { sent: string; given: unknown }[] => valid.split(' ').map(read);

/** What a contract of rows has around them. */
interface Contract {
  /** Its version and title. */
  readonly head?: string;
  /** The schemas of its components. */
  readonly components?: string;
}

/** A contract with an operation per row: `*int` is an int64, `@Node` refers to the schema Node. */
export function contractOf(rows: readonly Row[], { head, components = ' {}\n' }: Contract = {}): string {
  const paths = rows.map(
    ([name, schema], index) => `
  /${encodeURI(name)}:
    post:
      requestBody: { required: true, content: &content${index} { application/json: { schema: ${schema} } } }
      responses: { '200': { description: Same., content: *content${index} }, '204': { description: Nothing. } }`,
  );
  const text = `${head ?? 'openapi: 3.1.0\ninfo: { title: Schemas, version: 1.0.0 }'}
x-int: &int { type: integer, format: int64 }
components:
  schemas:${components}
paths:${paths.join('')}
`;
  return text.replaceAll(/@(\w+)/g, "{ $ref: '#/components/schemas/$1' }");
}

/** A server of rows. */
export interface SchemaServer {
  /** Sends a body to the operation of a row, whose handler returns an answer. */
  post(name: string, body: string, answer?: ResponseValue): Promise<Answer>;
  /** Expects each body of a row to be accepted, and given to the handler, or refused. */
  expectJudged(row: Row): Promise<void>;
  close(): Promise<void>;
}

/** Serves the contract of rows. */
export async function serveRows(rows: readonly Row[], contract?: Contract): Promise<SchemaServer> {
  let seen: unknown;
  let answer: ResponseValue;
  const handler = (request: never): ResponseValue => {
    seen = (request as { body: unknown }).body;
    return answer;
  };
  const files = { 'openapi.yaml': contractOf(rows, contract) };
  const server = await withFiles(files, (file) => serveContract(file, handler));
  const post: SchemaServer['post'] = (name, body, given = { status: 204 }) => {
    [seen, answer] = [undefined, given];
    return server.request('POST', `/${encodeURI(name)}`, { headers: { 'Content-Type': 'application/json' }, body });
  };
  const refusal: unknown = expect.stringContaining('{"reason":"invalidBody","message":"The request body');
  const expectJudged: SchemaServer['expectJudged'] = async (row) => {
    const [name, , , invalid] = row;
    for (const { sent, given } of bodiesOf(row)) {
      const { status } = await post(name, sent);
      expect({ sent, status, seen }).toStrictEqual({ sent, status: 204, seen: given });
    }
    for (const sent of invalid.split(' ')) {
      const { status, text } = await post(name, sent);
      expect({ sent, status, text, seen }).toEqual({ sent, status: 400, text: refusal, seen: undefined });
    }
  };
  return { post, expectJudged, close: server.close };
}

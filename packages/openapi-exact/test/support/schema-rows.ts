import { expect } from '@jest/globals';
import { stringify } from 'lossless-json';
import type { ResponseValue } from '../../src/response/respond.ts';
import { serveContract, type Answer } from './contract-server.ts';
import { withFiles } from 'test-support/contract-files.ts';

/** A schema, bodies that it allows and bodies that it refuses. */
export interface Row {
  readonly name: string;
  /** A schema, or the YAML of one where its spelling matters. */
  readonly schema: unknown;
  /** Each is sent as JSON, and given to the handler as it is here. */
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

/** A body in another spelling than `JSON.stringify` has. */
export class JsonText {
  readonly text: string;
  /** What the handler is given of it. */
  readonly given: unknown;

  constructor(text: string, given?: unknown) {
    this.text = text;
    this.given = given;
  }
}

export const json = (text: string, given?: unknown): JsonText => new JsonText(text, given);

export const INT64 = { type: 'integer', format: 'int64' };

/** A reference to a schema of the components. */
export const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** What is sent of a body, and what the handler is given. */
function read(body: unknown): { sent: string; given: unknown } {
  return body instanceof JsonText ? { sent: body.text, given: body.given } : { sent: textOf(body), given: body };
}

/** The valid bodies of a row. */
export const bodiesOf = ({ valid }: Row): { sent: string; given: unknown }[] => valid.map(read);

/** What a contract of rows has around them. */
interface Contract {
  /** Its version and title. */
  readonly head?: string;
  /** The schemas of its components. */
  readonly components?: Readonly<Record<string, unknown>>;
}

/** A contract with an operation per row. */
export function contractOf(rows: readonly Row[], { head, components = {} }: Contract = {}): string {
  const paths = rows.map(
    ({ name, schema }, index) => `
  /${encodeURI(name)}:
    post:
      requestBody: { required: true, content: &content${index} { application/json: { schema: ${yamlOf(schema)} } } }
      responses: { '200': { description: Same., content: *content${index} }, '204': { description: Nothing. } }`,
  );
  return `${head ?? 'openapi: 3.1.0\ninfo: { title: Schemas, version: 1.0.0 }'}
components: { schemas: ${yamlOf(components)} }
paths:${paths.join('')}
`;
}

/** JSON with its integers exact. */
function textOf(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('It has no JSON.');
  return text;
}

/** JSON is YAML. */
function yamlOf(schema: unknown): string {
  return typeof schema === 'string' ? schema : textOf(schema);
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
    const { name, invalid } = row;
    for (const { sent, given } of bodiesOf(row)) {
      const { status } = await post(name, sent);
      expect({ sent, status, seen }).toStrictEqual({ sent, status: 204, seen: given });
    }
    for (const { sent } of invalid.map(read)) {
      const { status, text } = await post(name, sent);
      expect({ sent, status, text, seen }).toEqual({ sent, status: 400, text: refusal, seen: undefined });
    }
  };
  return { post, expectJudged, close: server.close };
}

import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { objectOf, type ExampleResponse, type Json } from 'openapi-exact-cli/examples';
import { ReceivedItems, type Received, type ReceivedPart } from './serve-operation.ts';

const PROJECT = fileURLToPath(new URL('../../../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
const TYPES = `${HERE}checked-contract.d.ts`;
const CHECKS = `${HERE}checked-messages.ts`;

const HEAD = `import type { OperationRequest, OperationResponse } from '../../src/types.ts';
import type { operations } from './checked-contract.d.ts';
type PartOf<Request> = Request extends { body: AsyncIterable<infer Part> } ? Part : never;
const bytes = new Uint8Array();
const { signal } = new AbortController();
async function* items<T>(all: T[]): AsyncGenerator<T> { for (const item of all) yield await Promise.resolve(item); }
async function* events() { yield await Promise.resolve({ data: 'first' }); }
`.replaceAll('\n', ' ');

const UNKNOWN_PROPERTY = 'Object literal may only specify known properties';

/** A statement that must compile, or must not. */
interface Statement {
  readonly name: string;
  readonly text: string;
  readonly isValid: boolean;
}

/** The messages of a contract's operations as literals of their types. */
export class TypeChecks {
  readonly #statements: Statement[] = [];

  /** A request as its handler got it. */
  addRequest(operation: string, id: string, received: Received): void {
    const type = `OperationRequest<operations[${JSON.stringify(id)}]>`;
    const { params, query, headers, cookies, contentType, body, principal } = received;
    const members = { params: params ?? {}, query: query ?? {}, headers: headers ?? {}, cookies: cookies ?? {} };
    const parts = isParts(body) ? body : undefined;
    const value =
      body instanceof ReceivedItems
        ? `items(${literal(body.items)})`
        : body === undefined
          ? 'undefined'
          : parts || Buffer.isBuffer(body)
            ? 'undefined as never'
            : literal(body);
    const own = Object.entries(members).map(([name, memberValue]) => `${name}: ${literal(memberValue)}`);
    if (principal !== undefined) own.push(`principal: ${literal(principal)}`);
    const written = `{ ${own.join(', ')}, contentType: ${literal(contentType)}, body: ${value}, signal }`;
    this.#add(`${operation}: the request`, type, written, true);
    for (const part of parts ?? []) {
      const content = part.value === undefined ? 'body: undefined as never' : `value: ${literal(part.value)}`;
      const head = `name: ${literal(part.name)}, contentType: ${literal(part.contentType)}, headers: {}`;
      this.#add(`${operation}: the part ${part.name}`, `PartOf<${type}>`, `{ ${head}, ${content} }`, true);
    }
  }

  /** A response that a handler may return, or may not. */
  addResponse(name: string, id: string, response: ExampleResponse, isValid: boolean): void {
    const { status, headerValues, contentType, body } = response;
    const members = [
      `status: ${status}`,
      ...(Object.keys(headerValues).length === 0 ? [] : [`headers: ${literal(headerValues)}`]),
      ...(contentType === undefined ? [] : [`contentType: ${literal(contentType)}`]),
      ...(body === undefined ? [] : [`body: ${bodyLiteral(body)}`]),
    ];
    this.#add(name, `OperationResponse<operations[${JSON.stringify(id)}]>`, `{ ${members.join(', ')} }`, isValid);
  }

  #add(name: string, type: string, value: string, isValid: boolean): void {
    this.#statements.push({ name, text: `export const _${this.#statements.length}: ${type} = ${value};`, isValid });
  }

  get size(): number {
    return this.#statements.length;
  }

  /**
   * Compiles the statements with the types of their contract.
   * @returns a line for each that compiles although it must not, or the other way round.
   */
  contradictions(types: string): string[] {
    const text = [HEAD, ...this.#statements.map((statement) => statement.text)].join('\n');
    const program = compiled({ [TYPES]: types, [CHECKS]: text });
    const wrongTypes = program.getSemanticDiagnostics(sourceIn(program, TYPES)).map(messageOf);
    const source = sourceIn(program, CHECKS);
    const errors = new Map<number, string>();
    for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
      const line = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line - 1;
      if (!errors.has(line)) errors.set(line, messageOf(diagnostic));
    }
    const found = this.#statements.flatMap(({ name, text: written, isValid }, index) => {
      const error = errors.get(index);
      // An object may have undeclared properties: TypeScript warns only of those it knows.
      if (isValid && error?.includes(UNKNOWN_PROPERTY) === true) return [];
      if (isValid)
        return error === undefined
          ? []
          : [`${name} does not compile: ${error.slice(0, 500)} IN ${written.slice(0, 300)}`];
      return error === undefined ? [`${name} compiles: ${written.slice(0, 300)}`] : [];
    });
    return [...wrongTypes.map((problem) => `the types do not compile: ${problem}`), ...found];
  }
}

function sourceIn(program: ts.Program, file: string): ts.SourceFile {
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`The compiler has not read ${file}.`);
  return source;
}

const parsed = new Map<string, ts.SourceFile | undefined>();
let previous: ts.Program | undefined;

/** A program of virtual files, with the settings of the project. */
function compiled(files: Readonly<Record<string, string>>): ts.Program {
  const { config } = ts.readConfigFile(`${PROJECT}/tsconfig.json`, (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, PROJECT);
  const host = ts.createCompilerHost(options);
  const own = (name: string): string | undefined => (Object.hasOwn(files, name) ? files[name] : undefined);
  const program = ts.createProgram({
    rootNames: Object.keys(files),
    // Types that a library cannot check are a fault too.
    options: { ...options, skipLibCheck: false, noUnusedLocals: false, isolatedModules: false },
    host: {
      ...host,
      fileExists: (name) => own(name) !== undefined || host.fileExists(name),
      readFile: (name) => own(name) ?? host.readFile(name),
      getSourceFile: (name, target, ...options) => {
        const text = own(name);
        if (text !== undefined) return ts.createSourceFile(name, text, target, true);
        if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, target, ...options));
        return parsed.get(name);
      },
    },
    ...(previous && { oldProgram: previous }),
  });
  previous = program;
  return program;
}

function messageOf({ messageText }: ts.Diagnostic): string {
  return ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' ');
}

function isParts(body: unknown): body is ReceivedPart[] {
  return (
    Array.isArray(body) &&
    body.length > 0 &&
    body.every((part: unknown) => typeof part === 'object' && part !== null && 'bytes' in part)
  );
}

function bodyLiteral({ kind, value, bytes }: NonNullable<ExampleResponse['body']>): string {
  if (kind === 'json' || kind === 'items' || kind === 'parts') return literal(value);
  if (kind === 'events') return 'events()';
  return kind === 'text' ? literal(bytes.toString()) : 'bytes';
}

/** A value as an expression of TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, ' ');
  if (value instanceof Uint8Array) return 'new Uint8Array()';
  // What else a handler gets or returns is JSON with bigints.
  const members = Object.entries(objectOf(value as Json)).map(([name, memberValue]) => {
    return `${name === '__proto__' ? '["__proto__"]' : literal(name)}: ${literal(memberValue)}`;
  });
  return `{ ${members.join(', ')} }`;
}

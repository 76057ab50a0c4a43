import { afterAll, expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredStatus } from './declared-status.ts';
import { isReference } from './reference.ts';
import type { Operation } from 'openapi-exact';
import { contract } from './contract.ts';

/** A response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What the service answers to requests that are for no operation, before it knows one. */
const OUTSIDE_OPERATIONS = new Set([400, 404, 405, 408, 417, 421, 431, 501]);

/** What it answers to a request line that is for an operation, before it believes it. */
const BEFORE_OPERATIONS = new Set([408, 417, 431, 501]);

/** What every response says to browsers and caches. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

const JSON_TYPE = 'application/json; charset=utf-8';
// The linter has checked the contract, and the rules of JSON Schema take long to compile.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, multipleOfPrecision: 9 });
addFormats.default(ajv);
ajv.addSchema({ $id: 'contract:', ...contract.document }, 'contract:');
const validators = new Map<string, ValidateFunction>();

/** How often each status was seen, as `operationId status`, by the tests of this file. */
const seen = new Map<string, number>();
// The folder is named by scripts/checks/jest.ts, which adds up the files of all test files in it.
const folder = process.env['ANSWERS_FOLDER'];
if (folder !== undefined) {
  afterAll(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify([...seen]));
  });
}

/**
 * Checks a response against the contract: status and content type declared, body valid, required
 * headers present. Every response that a test receives goes through here.
 */
export function expectConformance(method: string, target: string, response: WireResponse): void {
  expect(response.headers).toMatchObject(SECURITY_HEADERS);
  expect(response.headers['x-request-id']).toMatch(/^[\w.:-]{1,64}$/);
  expect(response.headers).not.toHaveProperty('x-powered-by');
  expect(response.headers).not.toHaveProperty('server');
  const operation = operationOf(method, target);
  if (operation !== undefined && !BEFORE_OPERATIONS.has(response.status)) {
    const answer = `${operation.id} ${response.status}`;
    seen.set(answer, (seen.get(answer) ?? 0) + 1);
  }
  const key = operation && declaredStatus(operation.responses, response.status);
  if (method === 'OPTIONS' && response.status === 204) {
    expect(response).toMatchObject({ text: '', headers: { allow: expect.stringMatching(/\bOPTIONS\b/) } });
    return;
  }
  if (operation === undefined || key === undefined) {
    // Malformed HTTP is refused even when it begins with a valid request line.
    const isKnown = (operation === undefined ? OUTSIDE_OPERATIONS : BEFORE_OPERATIONS).has(response.status);
    if (!isKnown) {
      throw new Error(`The contract does not declare ${response.status} for ${method} ${target}: ${response.text}`);
    }
    if (method !== 'HEAD') expectErrorObject(response);
    return;
  }
  const reference = operation.definition.responses[key];
  if (reference === undefined) throw new Error('unreachable: the status is declared');
  const declared = operation.responses[key] ?? { headers: {} };
  for (const [name, { required, schema }] of Object.entries(declared.headers)) {
    const value = response.headers[name.toLowerCase()];
    if (required === true) expect(value).toBeDefined();
    if (value !== undefined && schema?.type === 'integer') expect(value).toMatch(/^\d+$/);
  }
  if (declared.content === undefined) {
    expect(response.text).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
    expect(response.headers['transfer-encoding']).toBeUndefined();
    return;
  }
  const types = Object.keys(declared.content);
  const { 'content-type': type = '' } = response.headers;
  const isDeclared =
    type === JSON_TYPE ? types.includes('application/json') : types.some((known) => describes(known, type));
  if (!isDeclared) throw new Error(`${method} ${target} is declared as ${types.join(' or ')}, and answered as ${type}`);
  if (method === 'HEAD') {
    expect(response.text).toBe('');
    return;
  }
  if (type !== JSON_TYPE) return;
  expect(
    validate(`${pointerTo(operation, reference, key)}/content/application~1json/schema`, JSON.parse(response.text)),
  ).toEqual([]);
  if (response.status >= 400) expectErrorObject(response);
}

/** Whether a media type or range of the contract describes a Content-Type. */
function describes(declared: string, type: string): boolean {
  const essence = type.replace(/; charset=utf-8$/, '');
  const isInRange = declared.endsWith('/*') && essence.startsWith(declared.slice(0, -1));
  return essence === declared || declared === '*/*' || isInRange;
}

/** Every failure is the contract's `Error` object and shows no internals. */
export function expectErrorObject(response: WireResponse): void {
  expect(response.headers['content-type']).toBe(JSON_TYPE);
  const body: unknown = JSON.parse(response.text);
  expect(validate('#/components/schemas/Error', body)).toEqual([]);
  expect(body).toEqual({ error: expect.any(Number), message: expect.any(String) });
  // The assertion above has just shown that it is of this form.
  const { error, message } = body as { error: number; message: string };
  expect(Math.floor(error / 100)).toBe(response.status);
  expect(message).not.toMatch(/node_modules|\bat \S+ \(|\.[jt]s:\d|SQLITE|sqlite|plant_[0-9A-Za-z]{10}|\/src\/|\n/);
  expect(message).toMatch(/^[A-Z'].*\.$/s);
}

function validate(pointer: string, value: unknown): unknown[] {
  const known = validators.get(pointer);
  const validator = known ?? ajv.compile({ $ref: `contract:${pointer}` });
  validators.set(pointer, validator);
  return validator(value) ? [] : (validator.errors ?? []);
}

/** Where the contract describes a response, as a JSON pointer. */
function pointerTo(operation: Operation, reference: object, status: string): string {
  if (isReference(reference)) return reference.$ref;
  const path = operation.path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  return `#/paths/${path}/${operation.method.toLowerCase()}/responses/${status}`;
}

/** The operation of a request; paths with fewer parameters come first (OpenAPI, "Paths Object"). */
function operationOf(method: string, target: string): Operation | undefined {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] ?? '';
  const fitting = contract.operations.filter(({ basePaths, path: template }) =>
    basePaths.some((basePath) => isAt(path, basePath + template)),
  );
  const [most] = fitting.toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const candidates = fitting.filter((operation) => operation.path === most?.path);
  const found = candidates.find((operation) => operation.method === method);
  return found ?? (method === 'HEAD' ? candidates.find((operation) => operation.method === 'GET') : undefined);
}

/** Whether a path fits a template, in which a parameter is never empty. */
function isAt(path: string, template: string): boolean {
  const [segments, wanted] = [path.split('/').map(decoded), template.split('/')];
  return (
    segments.length === wanted.length &&
    wanted.every((text, index) => (text.includes('{') ? segments[index] !== '' : segments[index] === text))
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

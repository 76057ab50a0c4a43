import {
  changes,
  exactValue,
  type ExampleMessages,
  type ExampleResponse,
  type Fault,
  type Json,
  type MessageBody,
  type Schemas,
} from 'openapi-exact-cli/examples';
import { sequenceFormat } from '../../src/http/media-type.ts';

/** A response that the contract does not allow, by something that a type can say. */
export interface InvalidResponse {
  readonly name: string;
  readonly response: ExampleResponse;
}

/** At most so many bodies of one response, each with another fault. */
const MOST_BODIES = 6;
/** At most so many changes of one body are judged. */
const MOST_CHANGES = 3000;

/** Keywords that a type can say. */
const SAID: readonly string[] = ['type', 'enum', 'const', 'required'];
/** Keywords whose schemas no type follows. */
const UNSAID = /\/(not|if|then|else|contains|propertyNames|dependent\w*|patternProperties|unevaluated\w*)\//;

/** Derives invalid responses from a valid one: each changes one place. */
export function invalidResponses(
  { schemas }: ExampleMessages,
  valid: ExampleResponse,
  all: readonly ExampleResponse[],
  keys: readonly string[],
): InvalidResponse[] {
  const undeclared = [299, 499, 599].find((status) => {
    const [first] = String(status);
    const isByDefault = keys.includes('default') && (status >= 400 || !keys.some((key) => key.startsWith('2')));
    return !isByDefault && !keys.some((key) => key.toUpperCase() === `${first}XX`);
  });
  const [missing] = Object.keys(valid.headers);
  return [
    // Without responses, any status is allowed.
    ...(undeclared === undefined || keys.length === 0 || valid !== all[0]
      ? []
      : [{ name: `the undeclared status ${undeclared}`, response: { ...valid, status: undeclared } }]),
    ...(missing === undefined ? [] : [{ name: `without the header ${missing}`, response: without(valid, missing) }]),
    ...wrongBodies(schemas.response, valid),
  ];
}

function without(valid: ExampleResponse, name: string): ExampleResponse {
  const { [name]: _, ...headers } = valid.headers;
  const { [name]: __, ...headerValues } = valid.headerValues;
  return { ...valid, headers, headerValues };
}

function wrongBodies(schemas: Schemas, valid: ExampleResponse): InvalidResponse[] {
  const { body } = valid;
  if (body === undefined || !isChecked(body)) return [];
  const found = new Map<string, InvalidResponse>();
  let count = 0;
  // The value of a JSON body is JSON.
  for (const [name, changed] of changes(schemas, body.schema, body.value as Json)) {
    if (found.size >= MOST_BODIES || ++count > MOST_CHANGES) break;
    const faults = schemas.faults(body.schema, changed);
    if (faults.length === 0 || !faults.every((fault) => isSaid(fault, changed))) continue;
    const key = faults.map(({ schemaPath }) => schemaPath).join();
    if (found.has(key)) continue;
    const value = exactValue(schemas, body.schema, changed);
    // The handler returns a list of items.
    if (body.kind === 'items' && !Array.isArray(value)) continue;
    found.set(key, { name: `${valid.status} ${name}`, response: { ...valid, body: { ...body, value } } });
  }
  return [...found.values()];
}

/** Whether a wrong body is answered 500: the head of events is sent before them. */
function isChecked({ kind, declared }: MessageBody): boolean {
  return kind === 'json' || (kind === 'items' && sequenceFormat(declared) !== 'events');
}

function isSaid({ keyword, schemaPath, instancePath, params }: Fault, value: Json): boolean {
  if (keyword === 'anyOf') return true;
  // More than one branch holds.
  if (keyword === 'oneOf') return (params as { passingSchemas?: unknown }).passingSchemas === null;
  if (!SAID.includes(keyword) || UNSAID.test(schemaPath)) return false;
  // TypeScript has no integers.
  const isInteger = keyword === 'type' && [(params as { type?: unknown }).type].flat().includes('integer');
  return !isInteger || typeof at(value, instancePath) !== 'number';
}

function at(value: Json, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value);
}

import {
  canonical,
  difference,
  parseJson,
  textOf,
  type Argument,
  type ExampleRequest,
  type ExampleResponse,
  type Json,
  type MessageBody,
  type Part,
} from 'openapi-exact-cli/examples';
import type { Answer } from 'test-support/http-client.ts';
import { ReceivedItems, type Received } from './serve-operation.ts';

const GROUPS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Says how a response differs from the one that the handler returned; undefined for equal ones. */
export function responseFault(expected: ExampleResponse, answer: Answer, isHead: boolean): string | undefined {
  const { status, headers, bytes } = answer;
  if (status !== expected.status) return `answered ${status} ${bytes.toString().slice(0, 300)}`;
  const { body } = expected;
  if (body === undefined) return bytes.length === 0 ? undefined : `answered a body: ${bytes.toString().slice(0, 200)}`;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const [wanted = ''] = body.contentType.split(';');
  if (type.toLowerCase() !== wanted.trim().toLowerCase()) return `answered the type ${type} instead of ${wanted}`;
  if (isHead) return undefined;
  const fault =
    body.kind === 'json'
      ? difference(body.value, parsed(bytes))
      : withBoundaryOf(body, bytes, headers['content-type']).equals(body.bytes)
        ? undefined
        : `${shown(bytes)} instead of ${shown(body.bytes)}`;
  return fault && `answered another body: ${fault}`;
}

/** Parts without names, with the boundary of the expected ones: each response has its own. */
function withBoundaryOf({ kind, contentType }: MessageBody, bytes: Buffer, answered = ''): Buffer {
  const boundaryIn = (type: string): string => type.split('boundary=')[1] ?? '';
  if (kind !== 'parts' || boundaryIn(answered) === '') return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll(boundaryIn(answered), boundaryIn(contentType)), 'latin1');
}

function parsed(bytes: Buffer): Json | undefined {
  try {
    return parseJson(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Says what a handler received otherwise than it was sent; undefined for the same. */
export function requestFault({ arguments: sent, body }: ExampleRequest, received: Received): string | undefined {
  for (const argument of sent) {
    const fault = difference(argument.value, argumentOf(received, argument));
    if (fault !== undefined) return `the handler got the parameter ${textOf(argument.parameter['name'])} as ${fault}`;
  }
  if (body === undefined) return undefined;
  const fault = bodyFault(body, received.body);
  return fault && `the handler got the body as ${fault}`;
}

function bodyFault(body: MessageBody, got: unknown): string | undefined {
  const { value, bytes, kind } = body;
  const isBytes = kind === 'bytes' || kind === 'multipart' || Buffer.isBuffer(got);
  if (kind === 'items') return difference(value, got instanceof ReceivedItems ? got.items : got);
  if (kind === 'parts') {
    const items = got instanceof ReceivedItems ? got.items : [];
    return isSameItemParts(value, items) ? undefined : `${shown(items)} instead of ${shown(value)}`;
  }
  if (!isBytes) return difference(value, got);
  const isSame = kind === 'multipart' ? isEqualParts(body, got) : Buffer.isBuffer(got) && got.equals(bytes);
  return isSame ? undefined : `${shown(got)} instead of ${shown(value)}`;
}

function argumentOf(received: Received, { parameter }: Argument): unknown {
  if (parameter['in'] === 'querystring') return received.query;
  const group = received[GROUPS[parameter['in'] as keyof typeof GROUPS]];
  return typeof group === 'object' && group !== null
    ? Object.entries(group).find(([name]) => name === parameter['name'])?.[1]
    : undefined;
}

/** Whether parts without names have equal media types and values; bytes and parts are not JSON. */
function isSameItemParts(expected: unknown, received: unknown): boolean {
  if (expected instanceof Uint8Array) return received instanceof Uint8Array && Buffer.from(expected).equals(received);
  if (typeof expected !== 'object' || expected === null) return expected === received;
  if (typeof received !== 'object' || received === null) return false;
  return Object.entries(expected).every(
    ([key, value]) => key === 'headers' || isSameItemParts(value, (received as Readonly<Record<string, unknown>>)[key]),
  );
}

function isEqualParts({ value }: MessageBody, got: unknown): boolean {
  // The value of a multipart body is its parts.
  const [sent, received] = [value as readonly Part[], Array.isArray(got) ? (got as Part[]) : []];
  const isEqual = (a: Part, b: Part): boolean => a.name === b.name && a.filename === b.filename && hasSameContent(a, b);
  return (
    sent.length === received.length && sent.every((part) => received.some((candidate) => isEqual(candidate, part)))
  );
}

/** Whether the bytes are the same, or the same JSON. */
function hasSameContent(a: Part, b: Part): boolean {
  const [left, right] = [parsed(a.bytes), parsed(b.bytes)];
  return a.bytes.equals(b.bytes) || (left !== undefined && difference(left, right) === undefined);
}

function shown(value: unknown): string {
  return (Buffer.isBuffer(value) ? value.toString('latin1') : canonical(value)).slice(0, 200);
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { resolve } from '../../src/contract/document/openapi-document.ts';
import type { Contract } from '../../src/contract/document/load.ts';
import type { RawResponse } from './responses.ts';

/** Looks at a response to some bytes. @returns what is wrong with it; undefined when nothing is. */
export type Judge = (response: RawResponse, sent: Buffer) => string | undefined;

/** What a contract says about a response. */
interface Declared {
  readonly requiredHeaders: readonly string[];
  /** The media types of its content; none without content. */
  readonly types: readonly string[];
}

/** Statuses of requests outside all operations, each with its required headers. */
const OUTSIDE_OPERATIONS: Readonly<Record<number, readonly string[]>> = {
  400: [],
  404: [],
  405: ['allow'],
  408: [],
  417: [],
  421: [],
  431: [],
  501: [],
};

/** Must be there in every response. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** Words of the service's inside: stack traces, files, SQL. */
const INSIDE = /node_modules|\bat \S+ \(|\.[cm]?[jt]s:\d|sqlite|\/src\/|\/dist\/|Error:|\bundefined\b|\[object /i;

/**
 * Judges single responses to unknown requests: each must be declared by the contract for some
 * request, have an `Error` object as body, and reveal no internals.
 * @param secrets texts that no answer may repeat.
 */
export function createJudge(contract: Contract, secrets: readonly string[]): Judge {
  const declared = declaredResponses(contract);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'contract:', ...contract.document }, 'contract:');
  const isError = ajv.compile({ $ref: 'contract:#/components/schemas/Error' });

  function objectionToBody({ status, body }: RawResponse): string | undefined {
    const value = parseJson(body);
    if (!isError(value)) return 'its body is no Error object';
    // The schema has just shown that it is of this form.
    const { error, message, ...more } = value as { error: number; message: string };
    if (Object.keys(more).length > 0) return 'its Error object has further fields';
    if (Math.floor(error / 100) !== status) return `its error code is ${error}`;
    if (!/^[A-Z'][^\p{Cc}]*\.$/u.test(message)) return 'its message is no sentence on one line';
    return undefined;
  }

  function objectionAs({ requiredHeaders, types }: Declared, response: RawResponse): string | undefined {
    const { status, headers, body, isBodiless } = response;
    const type = headers.get('content-type') ?? '';
    const missing = requiredHeaders.find((name) => (headers.get(name) ?? '') === '');
    if (missing !== undefined) return `it has no ${missing}`;
    if (types.length === 0) return body === '' && type === '' ? undefined : 'it has content';
    if (!types.includes(type.replace('; charset=utf-8', ''))) return `its type is ${type}`;
    // Other tests compare the content of a success.
    return isBodiless || status < 400 ? undefined : objectionToBody(response);
  }

  return (response, sent) => {
    const { status, headers, body, isBodiless } = response;
    if (status === 100) return /100-continue/i.test(sent.toString('latin1')) ? undefined : 'nobody expected it';
    if (status >= 500 && status !== 501) return 'nothing but the requests was out of order';
    const candidates = [...(declared.get(status) ?? [])];
    const outside = OUTSIDE_OPERATIONS[status];
    if (outside !== undefined) candidates.push({ requiredHeaders: outside, types: ['application/json'] });
    if (candidates.length === 0) return 'the contract has no such status';
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      if (headers.get(name) !== value) return `it has no ${name}: ${value}`;
    }
    if (headers.has('server') || headers.has('x-powered-by')) return 'it says what the server is made of';
    if (isBodiless && !sent.includes('HEAD')) return 'it has no body';
    const everything = `${[...headers.values()].join('\n')}\n${body}`;
    if (INSIDE.test(everything)) return 'it tells something of the inside';
    if (secrets.some((secret) => everything.includes(secret))) return 'it holds a token';
    const objections = candidates.map((candidate) => objectionAs(candidate, response));
    return objections.includes(undefined) ? undefined : objections.join(', or ');
  };
}

function declaredResponses({ document, operations }: Contract): Map<number, Declared[]> {
  const found = new Map<number, Declared[]>();
  for (const { id, definition } of operations) {
    for (const [status, reference] of Object.entries(definition.responses)) {
      if (!/^\d{3}$/.test(status)) throw new Error(`The fuzzer does not know what ${id} means by ${status}.`);
      const { headers = {}, content } = resolve(document, reference);
      const requiredHeaders = Object.entries(headers)
        .filter(([, header]) => resolve(document, header).required === true)
        .map(([name]) => name.toLowerCase());
      const known = found.get(Number(status)) ?? [];
      found.set(Number(status), [...known, { requiredHeaders, types: Object.keys(content ?? {}) }]);
    }
  }
  return found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

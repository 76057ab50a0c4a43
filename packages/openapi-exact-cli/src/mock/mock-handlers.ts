import { RequestError, type AnyFormats, type Contract, type Handlers, type ResponseValue } from 'openapi-exact';
import { customFormats, DecodedResponses, FormatError, type Operation } from 'openapi-exact/contract';
import { responseValue } from '../examples/example-handlers.ts';
import { ExampleMessages, type ExampleResponse } from '../examples/example-messages.ts';
import type { JsonObject } from '../examples/json-value.ts';
import { operationKeys, sentMethod, type OperationKey } from '../examples/source-document.ts';
import { NO_PREFERENCE, type Preference } from './preference.ts';

/**
 * Handlers that return the contract's examples, for the operations that have no handler yet. A
 * response without example has a value generated from its schema. Nothing is remembered: what a
 * client creates is not there afterwards.
 * @param contract as `loadContract` returns it.
 * @param options with the `formats` of the middleware, whose values the handlers return.
 * @example
 * const mock = mockHandlers<operations>(contract, { formats });
 * const handlers: Handlers<operations> = { ...mock, getTodo };
 */
export function mockHandlers<Operations>(contract: Contract, { formats }: MockOptions = {}): Handlers<Operations> {
  const mock = new MockResponses(contract, formats);
  const handlers = contract.operations.map(({ id }) => {
    return [id, ({ accepts }: Accepting) => mock.respond(id, accepts, NO_PREFERENCE)] as const;
  });
  // Safe: there is a handler for each operation, and the library checks what it returns.
  return Object.fromEntries(handlers) as unknown as Handlers<Operations>;
}

/**
 * Options of {@link mockHandlers}.
 * @example
 * const date = { decode: (text) => new Date(text), encode: (date) => date.toISOString() };
 * const options = { formats: { 'date-time': date } };
 */
export interface MockOptions {
  /** The option `formats` of the middleware that calls the handlers; none by default. */
  readonly formats?: AnyFormats | undefined;
}

/** The part of a handler's request that a mock reads. */
export interface Accepting {
  /** The media types that the client accepts, where the contract leaves a choice. */
  readonly accepts?: readonly string[] | undefined;
}

/** Chooses among the responses that a contract declares. */
export class MockResponses {
  readonly messages: ExampleMessages;
  readonly #decoded: DecodedResponses;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #operationKeys: ReadonlyMap<string, OperationKey>;
  readonly #responses = new Map<string, readonly ExampleResponse[]>();

  /** @param formats whose values the responses have. */
  constructor(contract: Contract, formats: AnyFormats = {}) {
    const custom = customFormats(formats);
    this.#decoded = new DecodedResponses(contract, custom);
    this.#operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
    // Safe: it was read from JSON or YAML.
    const view = contract.document as unknown as JsonObject;
    // Contracts of 3.0 have become ones of 3.1.
    const document = { name: 'contract', root: view, view, is30: false };
    this.messages = new ExampleMessages(document, Infinity, custom);
    const byKey = new Map(
      operationKeys(document).map((operationKey) => [keyOf(sentMethod(operationKey), operationKey.path), operationKey]),
    );
    this.#operationKeys = new Map(
      contract.operations.flatMap((operation) => {
        const operationKey = byKey.get(keyOf(operation.method, operation.path));
        return operationKey === undefined ? [] : [[operation.id, operationKey] as const];
      }),
    );
  }

  /** The path and method of an operation. @throws Error unless the document has the operation. */
  operationKeyOf(id: string): OperationKey {
    const operationKey = this.#operationKeys.get(id);
    if (operationKey === undefined) throw new Error(`The contract has no operation ${id}.`);
    return operationKey;
  }

  /**
   * The response to a request: the declared example, else a generated one.
   * @param accepts the media types that the client accepts; undefined for all.
   * @throws RequestError 400 for a preference that the contract does not fulfil, and 501 where no
   * valid value was found.
   */
  respond(id: string, accepts: readonly string[] | undefined, preference: Preference): ResponseValue {
    const { status, example, isDynamic } = preference;
    const declared = this.#declared(id, status);
    const acceptable = declared.filter(({ body }) => {
      return accepts === undefined || body === undefined || accepts.includes(body.contentType);
    });
    const responses = acceptable.length === 0 ? declared : acceptable;
    const chosen =
      example === undefined
        ? (responses.find((response) => !isDynamic && response.example !== undefined) ?? responses[0])
        : responses.find((response) => response.example === example);
    if (chosen !== undefined) return this.#valueOf(id, chosen);
    const wanted = example === undefined ? 'no response' : `no valid example ${example}`;
    const message = `The contract has ${wanted}${status === undefined ? '' : ` with status ${status}`} for ${id}.`;
    throw new RequestError('no-such-response', message, { status: 400 });
  }

  /**
   * A response with the values of custom formats.
   * @throws RequestError 501 for a text without one.
   */
  #valueOf(id: string, example: ExampleResponse): ResponseValue {
    const value = responseValue(example);
    const operation = this.#operations.get(id);
    if (operation === undefined) return value;
    try {
      const decoded = this.#decoded.decodedHeaders(operation, value.status, example.headerValues);
      const headers = { ...value.headers, ...decoded };
      if (!('body' in value)) return { ...value, headers };
      return { ...value, headers, body: this.#decoded.decodedBody(operation, value) };
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      const message = `The example of ${id} cannot be decoded: a text in it ${cause.message}.`;
      throw new RequestError('no-example', message, { status: 501, cause });
    }
  }

  /** The responses with one status: the preferred one, or that of success. */
  #declared(id: string, status: number | undefined): readonly ExampleResponse[] {
    const key = `${status ?? ''} ${id}`;
    const known = this.#responses.get(key);
    if (known !== undefined) return known;
    const operationKey = this.operationKeyOf(id);
    const responses =
      status === undefined ? this.#ofSuccess(operationKey, id) : this.messages.responsesOfStatus(operationKey, status);
    this.#responses.set(key, responses);
    return responses;
  }

  #ofSuccess(operationKey: OperationKey, id: string): readonly ExampleResponse[] {
    try {
      const [first, ...others] = this.messages.responses(operationKey);
      return [first, ...others.filter(({ status }) => status === first.status)];
    } catch (cause) {
      const message = `No valid response was found for ${id}: give the contract an example of it.`;
      throw new RequestError('no-example', message, { status: 501, cause });
    }
  }
}

function keyOf(method: string, path: string): string {
  // The library serves a path up to its `#`.
  return `${method} ${path.replace(/#.*$/s, '')}`;
}

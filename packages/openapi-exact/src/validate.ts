import { messageOf } from './errors.ts';
import { declaredType, kindOf } from './document/media-type.ts';
import { declaredResponse, type DeclaredResponse } from './declared-response.ts';
import type { ValidRequest } from './bodies/received-body.ts';
import type { Contract, Operation } from './document/load.ts';
import type { Schema } from './document/openapi-document.ts';
import { declaredStatus } from './document/operations.ts';
import { Refused, type Refusal } from './document/refusal.ts';
import { ExactJson } from './validation/exact-json.ts';
import { StandIns, type StandInsOfMessage } from './numbers/stand-ins.ts';
import { GROUPS } from './parameters/locations.ts';
import type { ParameterValues } from './parameters/parameters.ts';
import { valuesOf } from './parameters/text-field.ts';
import { WITHOUT_CONTENT } from './negotiate.ts';
import { isBytes, type ResponseValue } from './respond.ts';
import { ResponseError } from './response-error.ts';
import { OpenApiValidator, type CompiledOperation } from './validation/openapi-validator.ts';
import {
  bodyName,
  headersName,
  requestSchemas,
  responseName,
  validationDocument,
  type Schemas,
  type ValidationDocument,
} from './validation/validation-document.ts';

type ParameterGroup = keyof ParameterValues;

const PARAMETER_GROUPS: readonly ParameterGroup[] = ['params', 'query', 'headers', 'cookies'];

/**
 * The number of operations that share an instance of express-openapi-validator: each instance costs
 * time at the start, and each operation in it costs the others time when it is compiled.
 */
const GROUP_SIZE = 50;

/**
 * Prepares the validators of operations, in their order.
 * @param operations those of the contract, with a schema for each part of a multipart body.
 * @param refusals receives every schema that cannot be served.
 */
export function createValidators(
  contract: Contract,
  operations: readonly Operation[],
  refusals: Refusal[],
  groupSize = GROUP_SIZE,
): readonly OperationValidator[] {
  const schemas = { contract, numbers: new StandIns(), exact: new ExactJson(contract.document), refusals };
  const starts = operations.map((_, index) => index).filter((index) => index % groupSize === 0);
  return starts.flatMap((start) => {
    const members = operations.slice(start, start + groupSize);
    const document = validationDocument(schemas, members);
    const group = { schemas, document, validator: new OpenApiValidator(document) };
    return members.map((operation, index) => new OperationValidator(group, operation, index));
  });
}

/** Operations that share an instance of express-openapi-validator. */
interface ValidatorGroup {
  readonly schemas: Schemas;
  readonly document: ValidationDocument;
  readonly validator: OpenApiValidator;
}

/** Checks the messages of one operation against its schemas. */
export class OperationValidator {
  readonly #group: ValidatorGroup;
  readonly #index: number;
  readonly #operation: Operation;
  /** The schema of each parameter group and body of a request. */
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** The groups with parameters. */
  readonly #groups: readonly ParameterGroup[];
  /** Those whose values are not exact as they are read. */
  readonly #inexact: readonly ParameterGroup[];
  /** What a response must have, by its status in the contract. */
  readonly #responses: ReadonlyMap<string, DeclaredResponse>;
  #compiling: Promise<CompiledOperation> | undefined;
  #compiled: CompiledOperation | undefined;

  /** @param index of the operation in its group. */
  constructor(group: ValidatorGroup, operation: Operation, index: number) {
    const { exact, contract } = group.schemas;
    this.#group = group;
    this.#index = index;
    this.#operation = operation;
    this.#schemas = requestSchemas(contract.document, operation);
    const locations = new Set(operation.parameters.map((parameter) => parameter.in));
    this.#groups = PARAMETER_GROUPS.filter((name) => locations.has(GROUPS[name]));
    // Parameters with `content` are JSON, which is read with its numbers as texts.
    const asJson = operation.parameters.filter(({ content }) => content !== undefined).map((one) => one.in);
    this.#inexact = this.#groups.filter(
      (name) => asJson.includes(GROUPS[name]) || !exact.isPlain(this.#schemas[name] ?? {}),
    );
    const responses = Object.entries(operation.responses);
    this.#responses = new Map(
      responses.map(([status, response]) => [status, declaredResponse(contract.document, response)]),
    );
  }

  /**
   * Compiles the schemas now instead of at the first request.
   * @throws Refused at the operation when express-openapi-validator cannot.
   */
  async compile(): Promise<CompiledOperation> {
    this.#compiling ??= this.#group.validator.compile(this.#index);
    try {
      return (this.#compiled = await this.#compiling);
    } catch (cause) {
      const { id, definition } = this.#operation;
      const reason = `express-openapi-validator cannot serve ${id}: ${messageOf(cause)}. Say it in other words.`;
      throw new Refused([{ node: definition, key: 'operationId', reason }], { cause });
    }
  }

  /** Compiles the schemas of the whole group as one. @returns false if one does not compile. */
  isGroupSound(): Promise<boolean> {
    return this.#group.validator.isSound();
  }

  /**
   * Finds out whether the schemas compile, without what requests need.
   * @throws Refused as {@link compile} does.
   */
  async check(): Promise<void> {
    if (!(await this.#group.validator.isSound())) await this.compile();
  }

  /**
   * Validates the parameters and the body of a request.
   * @param mediaType the declared one of the body; undefined without a body.
   * @param body its value, with numbers as `LosslessNumber`s; undefined if it is not checked.
   * @returns the same, exact and with defaults. @throws RequestError invalidParameter, invalidBody.
   */
  async request(values: ParameterValues, mediaType: string | undefined, body: unknown): Promise<ValidRequest> {
    const compiled = this.#compiled ?? (await this.compile());
    const numbers = this.#group.schemas.numbers.message();
    const name = mediaType === undefined || body === undefined ? undefined : bodyName(mediaType);
    const { params, query, headers, cookies } = values;
    const message: Record<string, unknown> = { params, query, headers, cookies };
    for (const group of this.#groups) message[group] = numbers.replace(values[group]);
    if (name !== undefined) message[name] = numbers.replace(body);
    try {
      await compiled.checkRequest(message);
      const valid = { params, query, headers, cookies, body, contentType: mediaType };
      for (const group of this.#inexact) valid[group] = this.#exact(group, values[group], compiled, numbers);
      if (name !== undefined) valid.body = this.#exact(name, body, compiled, numbers);
      return valid;
    } finally {
      numbers.release();
    }
  }

  /**
   * Validates a handler's response. The content of streams and bytes is not checked, and
   * they are refused where JSON is declared.
   * @throws ResponseError that describes the handler's mistake.
   */
  response({ status, headers, contentType, body }: ResponseValue): void {
    const { id, responses } = this.#operation;
    const mistake: Mistake = (what, cause) => new ResponseError(`${id} answered ${status} ${what}`, status, cause);
    const key = status >= 200 && status < 600 ? declaredStatus(responses, status) : undefined;
    const response = key === undefined ? undefined : this.#responses.get(key);
    if (key === undefined || response === undefined) throw mistake('which the contract does not declare.');
    const { types, requiredHeaders } = response;
    const given = headers === undefined ? NO_HEADERS : headersOf(headers);
    const missing = requiredHeaders.find((name) => !given.has(name.toLowerCase()));
    if (missing !== undefined) throw mistake(`without the header ${missing}.`);
    for (const [lower, { name }] of given) {
      if (!response.headers.has(lower)) throw mistake(`with the header ${name}, which the contract does not declare.`);
    }
    if (given.size > 0) this.#checkHeaders(headersName(key), response, given, mistake);
    if (types.length === 0) {
      if (body === undefined) return;
      throw mistake('with a body, which the contract does not declare.');
    }
    if (body === undefined && WITHOUT_CONTENT.includes(status)) return;
    this.#checkContent(key, response, { contentType, body }, mistake);
  }

  /**
   * Validates the body of a response, without its headers. The contract declares the status with
   * content.
   * @throws ResponseError as {@link response} does.
   */
  content(status: number, content: Content): void {
    const key = declaredStatus(this.#operation.responses, status) ?? '';
    const response = this.#responses.get(key);
    const mistake: Mistake = (what, cause) => new ResponseError(`It comes ${what}`, status, cause);
    if (response === undefined) throw mistake('with a status that is not declared.');
    this.#checkContent(key, response, content, mistake);
  }

  #checkContent(key: string, response: DeclaredResponse, { contentType, body }: Content, mistake: Mistake): void {
    const { types, texts } = response;
    const mediaType = contentType === undefined ? types[0] : declaredType(types, contentType);
    if (mediaType === undefined) throw mistake(`as ${contentType}, which the contract does not declare.`);
    if (body === undefined) throw mistake('without a body, which the contract declares.');
    if (isBytes(body)) {
      if (kindOf(contentType ?? mediaType) !== 'json') return;
      throw mistake('with bytes or a stream, where the contract declares a JSON value.');
    }
    const reader = texts.get(mediaType);
    try {
      this.#check(
        responseName(key, mediaType),
        reader !== undefined && typeof body === 'string' ? reader.text(body, '') : body,
      );
    } catch (cause) {
      throw mistake(`with a body that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  #checkHeaders(name: string, { fields }: DeclaredResponse, given: Headers, mistake: Mistake): void {
    try {
      const values = valuesOf(fields, (name) => given.get(name.toLowerCase())?.texts);
      if (Object.keys(values).length > 0) this.#check(name, values);
    } catch (cause) {
      throw mistake(`with a header that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  /** @throws MismatchError that names the place and what must be there. */
  #check(name: string, value: unknown): void {
    if (this.#compiled === undefined) throw new Error('There was no request before.');
    const numbers = this.#group.schemas.numbers.message();
    try {
      this.#compiled.checkResponse({ [name]: numbers.replace(value) });
    } finally {
      numbers.release();
    }
  }

  /** The value of a group or body with exact numbers and defaults. */
  #exact<T>(name: string, value: T, compiled: CompiledOperation, numbers: StandInsOfMessage): T {
    const schema = this.#schemas[name];
    if (schema === undefined) return value;
    const { schemas, document } = this.#group;
    const holds = (alternative: Schema, part: unknown): boolean =>
      compiled.isValidResponse({ [document.alternatives.get(alternative) ?? '']: numbers.replace(part) });
    // Exact values have the shape of what they are made from.
    return schemas.exact.read(schema, value, `/${name.replaceAll('/', '~1')}`, holds) as T;
  }
}

/** The body of a response with its media type. */
interface Content {
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** The headers of a response, by their names in lower case. */
type Headers = ReadonlyMap<string, { readonly name: string; readonly texts: readonly string[] }>;

const NO_HEADERS: Headers = new Map();

function headersOf(headers: NonNullable<ResponseValue['headers']>): Headers {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Map(given.map(([name, value]) => [name.toLowerCase(), { name, texts: [String(value)] }]));
}

/** The error for a wrong response: what is wrong with it, and why. */
type Mistake = (what: string, cause?: unknown) => ResponseError;

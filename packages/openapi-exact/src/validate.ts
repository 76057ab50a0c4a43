import { validateHeaderValue } from 'node:http';
import { InvalidRequestError, messageOf } from './errors.ts';
import { bodyKind, declaredType } from './document/media-type.ts';
import { declaredResponse, type DeclaredResponse } from './declared-response.ts';
import type { ValidRequest } from './bodies/received-body.ts';
import type { Contract, Operation } from './document/load.ts';
import type { Schema } from './document/openapi-document.ts';
import { declaredStatus } from './document/operations.ts';
import { reachableSchemas } from './document/schema-graph.ts';
import { Refused } from './document/refusal.ts';
import { keyOfToken } from './json-pointer.ts';
import { JsonHeader, partText } from './parameters/header-text.ts';
import { GROUPS, isParameterGroup, type ParameterGroup } from './parameters/locations.ts';
import type { ParameterValues } from './parameters/parameters.ts';
import { valuesOfFields } from './parameters/text-field.ts';
import { ValueCount } from './numbers/value-count.ts';
import { WITHOUT_CONTENT } from './negotiate.ts';
import { isBytes, type ResponseValue } from './respond.ts';
import { MismatchError, ResponseError } from './response-error.ts';
import { contractShapes, type Shapes } from './shapes/contract-shapes.ts';
import { Places, type Place } from './shapes/places.ts';
import type { ContractValidator } from './validation/contract-validator.ts';
import { Defaults } from './validation/defaults.ts';
import { exactValue, type DefaultsOf } from './validation/exact-values.ts';
import { Explainer } from './validation/explainer.ts';
import { requestError, secretsOf } from './validation/request-error.ts';
import {
  bodyName,
  groupsIn,
  headersName,
  requestSchemas,
  responseSchemas,
  validatedParts,
} from './validation/validation-document.ts';
import { setOwn } from './set-own.ts';

/** What the operations of a contract are validated with. */
export class Validation {
  readonly contract: Contract;
  readonly validator: ContractValidator;
  readonly #shapes: Shapes;
  readonly #places: Places;
  readonly #defaults: Defaults;

  constructor(contract: Contract, validator: ContractValidator) {
    this.contract = contract;
    this.validator = validator;
    this.#shapes = contractShapes(contract.document);
    this.#places = new Places(this.#shapes.referred);
    this.#defaults = new Defaults(contract.document);
  }

  /** The place of a value with a schema; undefined when no int64 is in it. */
  placeOf(schema: Schema): Place | undefined {
    return this.#places.placeOf(this.#shapes.shapeOfSchema(schema));
  }

  /** The exact values of a part of a request with a schema. */
  exactPart(schema: Schema): ExactPart {
    const place = this.placeOf(schema);
    return { place, defaults: this.#defaults.defaultsOf([schema], place) };
  }
}

/** How a part of a request becomes exact. */
interface ExactPart {
  readonly place: Place | undefined;
  readonly defaults: DefaultsOf | undefined;
}

/** Checks the messages of one operation against its schemas. */
export class OperationValidator {
  readonly #validation: Validation;
  readonly #validator: ContractValidator;
  readonly #operation: Operation;
  readonly #contract: Contract;
  #knownExplainer: Explainer | undefined;
  #secretNames: ReadonlySet<string> | undefined;
  /** The groups of parameters that are validated. */
  readonly #groups: readonly ParameterGroup[];
  /** The parts of a request that are not exact as they are read. */
  readonly #inexact: ReadonlyMap<string, ExactPart>;
  /** What a response must have, by the key of its status in the contract. */
  readonly #responses: ReadonlyMap<string, DeclaredResponse>;

  /** @param operation with a schema for each part of a multipart body. */
  constructor(validation: Validation, operation: Operation) {
    const { document } = validation.contract;
    this.#validation = validation;
    this.#validator = validation.validator;
    this.#operation = operation;
    this.#contract = validation.contract;
    // Parameters with `content` are JSON, which is read with its numbers as texts.
    const asJson = operation.parameters.filter(({ content }) => content !== undefined).map((parameter) => parameter.in);
    const isExact = (name: string, schema: Schema): boolean =>
      isParameterGroup(name) &&
      !asJson.includes(GROUPS[name]) &&
      [...reachableSchemas(document, [schema])].slice(1).every(isPlainScalar);
    const parts = validatedParts(document, operation);
    const inexact = Object.entries(parts).filter(([name, schema]) => !isExact(name, schema));
    this.#groups = groupsIn(parts);
    this.#inexact = new Map(inexact.map(([name, schema]) => [name, validation.exactPart(schema)]));
    const responses = Object.entries(operation.responses);
    this.#responses = new Map(
      responses.map(([status, response]) => [status, declaredResponse(document, status, response)]),
    );
  }

  /** Whether the schemas are compiled, so that messages can be checked. */
  get areSchemasCompiled(): boolean {
    return this.#validator.isCompiled(this.#operation);
  }

  /**
   * Compiles the schemas.
   * @throws Refused at the operation when express-openapi-validator cannot.
   */
  async compileSchemas(): Promise<void> {
    try {
      await this.#validator.compile(this.#operation);
    } catch (cause) {
      throw uncompilable(this.#operation, cause);
    }
  }

  /**
   * Validates the parameters and the body of a request.
   * @param mediaType the declared one of the body; undefined without a body.
   * @param body its value, with numbers as `LosslessNumber`s; undefined if it is not checked.
   * @param count of its values, to which those are added that defaults add.
   * @returns the same, exact and with defaults.
   * @throws RequestError invalidParameter, invalidBody; the error of `count`.
   */
  validateRequest(values: ParameterValues, mediaType?: string, body?: unknown, count?: ValueCount): ValidRequest {
    return this.#validateGroups(this.#groups, values, mediaType, body, count);
  }

  /**
   * Validates a part of a multipart body alone: a request may have many, and its parameters once.
   * @returns the body exact, the parameters as they are. @throws RequestError invalidBody.
   */
  validatePart(values: ParameterValues, mediaType: string, body: unknown, count: ValueCount): ValidRequest {
    return this.#validateGroups([], values, mediaType, body, count);
  }

  #validateGroups(
    groups: readonly ParameterGroup[],
    values: ParameterValues,
    mediaType: string | undefined,
    body: unknown,
    count?: ValueCount,
  ): ValidRequest {
    const { params, query, headers, cookies } = values;
    const name = mediaType === undefined || body === undefined ? undefined : bodyName(mediaType);
    const valid = { params, query, headers, cookies, body, contentType: mediaType };
    if (groups.length === 0 && name === undefined) return valid;
    const message: Record<string, unknown> = {};
    for (const group of groups) message[group] = values[group];
    if (name !== undefined) message[name] = body;
    try {
      this.#validator.check(this.#operation, 'request', message);
      // Exact values have the shape of what they are made from.
      for (const group of groups) valid[group] = this.#exact(group, values[group]) as typeof params;
      if (name !== undefined) valid.body = this.#exact(name, body, count);
      return valid;
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      throw new InvalidRequestError(requestError(error, message, this.#secrets), async () => {
        const faults = await this.#explainer.faults(message, error);
        return faults.map((fault) => requestError(fault, message, this.#secrets));
      });
    }
  }

  get #secrets(): ReadonlySet<string> {
    const { document } = this.#contract;
    this.#secretNames ??= secretsOf(document, Object.values(requestSchemas(document, this.#operation)));
    return this.#secretNames;
  }

  get #explainer(): Explainer {
    this.#knownExplainer ??= new Explainer(this.#contract, this.#operation);
    return this.#knownExplainer;
  }

  /** The value of a part of a request with exact numbers and defaults. */
  #exact(name: string, value: unknown, count = new ValueCount()): unknown {
    const part = this.#inexact.get(name);
    return part === undefined ? value : exactValue(value, part.place, part.defaults, name, count);
  }

  /**
   * Validates a handler's response. The content of streams and bytes is not checked, and
   * they are refused where JSON is declared.
   * @throws ResponseError that describes the handler's mistake.
   */
  validateResponse({ status, headers, contentType, body }: ResponseValue): void {
    const { id, responses } = this.#operation;
    const key = status >= 200 && status < 600 ? declaredStatus(responses, status) : undefined;
    const response = key === undefined ? undefined : this.#responses.get(key);
    if (key === undefined || response === undefined) {
      throw new ResponseError(`${id} answered ${status}, which the contract does not declare.`, status, undefined);
    }
    const { types, requiredHeaders } = response;
    const given = headers === undefined ? NO_HEADERS : headersOf(headers);
    const missing = requiredHeaders.find((name) => !given.has(name.toLowerCase()));
    if (missing !== undefined) throw mistakeOf(id, status)(`without the header ${missing}.`);
    if (given.size > 0) this.#checkHeaders(headersName(key), response, given, mistakeOf(id, status));
    if (types.length === 0) {
      if (body === undefined) return;
      throw mistakeOf(id, status)('with a body, which the contract does not declare.');
    }
    if (body === undefined && WITHOUT_CONTENT.includes(status)) return;
    this.#checkContent(response, { contentType, body }, mistakeOf(id, status));
  }

  /**
   * Validates the body of a response, without its headers. The contract declares the status with
   * content.
   * @throws ResponseError as {@link validateResponse} does.
   */
  validateContent(status: number, content: CheckedContent): void {
    const key = declaredStatus(this.#operation.responses, status) ?? '';
    const response = this.#responses.get(key);
    const mistake: ResponseMistake = (what, cause) => new ResponseError(`It comes ${what}`, status, cause);
    if (response === undefined) throw mistake('with a status that is not declared.');
    this.#checkContent(response, content, mistake);
  }

  #checkContent(
    { types, contents }: DeclaredResponse,
    { contentType, body }: CheckedContent,
    mistake: ResponseMistake,
  ): void {
    const mediaType = (contentType === undefined ? types[0] : declaredType(types, contentType)) ?? '';
    const declared = contents.get(mediaType);
    if (declared === undefined) throw mistake(`as ${contentType}, which the contract does not declare.`);
    if (body === undefined) throw mistake('without a body, which the contract declares.');
    if (isBytes(body)) {
      if (bodyKind(contentType ?? mediaType) !== 'json') return;
      throw mistake('with bytes or a stream, where the contract declares a JSON value.');
    }
    const { part, reader } = declared;
    try {
      this.#checkPart(part, reader !== undefined && typeof body === 'string' ? reader.text(body, '') : body);
    } catch (cause) {
      throw mistake(`with a body that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  #checkHeaders(name: string, { headers, fields }: DeclaredResponse, given: Headers, mistake: ResponseMistake): void {
    for (const [lower, header] of given) {
      if (headers.has(lower)) continue;
      throw mistake(`with the header ${header.name}, which the contract does not declare.`);
    }
    try {
      // Else Node.js refuses it after it has set the headers in front of it.
      for (const { name, texts } of given.values()) for (const text of texts) validateHeaderValue(name, text);
      const values = valuesOfFields(fields, (name) => given.get(name.toLowerCase())?.texts);
      for (const [name, read] of Object.entries(values)) {
        const value = given.get(name.toLowerCase())?.value;
        if (value instanceof JsonHeader) setOwn(values, name, value.value);
        else requireAsGiven(name, value, read);
      }
      if (Object.keys(values).length > 0) this.#checkPart(name, values);
    } catch (cause) {
      throw mistake(`with a header that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  /** @throws MismatchError that names the place in the part, and what must be there. */
  #checkPart(name: string, value: unknown): void {
    try {
      this.#validator.check(this.#operation, 'response', { [name]: value });
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      // The first token is the name of the part.
      const place = error.place.replace(/^\/[^/]*\/?/, '/');
      const schema = responseSchemas(this.#contract.document, this.#operation)[name];
      const isInt64 = schema !== undefined && placeAt(this.#validation.placeOf(schema), place, value)?.isInt64 === true;
      const requirement = isInt64 ? error.requirement.replace('a number', 'a bigint such as 12n') : error.requirement;
      throw new MismatchError(place, requirement);
    }
  }
}

/** The place that a JSON pointer into a value leads to. @param place of the value. */
function placeAt(place: Place | undefined, pointer: string, value: unknown): Place | undefined {
  let [found, current] = [place, value];
  for (const token of pointer === '/' ? [] : pointer.split('/').slice(1)) {
    const key = keyOfToken(token);
    found = Array.isArray(current) ? found?.itemPlace(Number(key)) : found?.propertyPlace(key);
    // What has a place within it is an array or an object; a missing property may be the last step.
    current = (current as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return found;
}

/** The refusal of an operation that the validator cannot compile. */
export function uncompilable({ id, definition }: Operation, cause: unknown): Refused {
  const [what, wayOut] =
    cause instanceof RangeError
      ? ['its schemas refer to each other in too long a chain or circle', 'Shorten it, or leave a part undescribed']
      : [messageOf(cause), 'Say it in other words'];
  const reason = `express-openapi-validator cannot serve ${id}: ${what}. ${wayOut}.`;
  return new Refused([{ node: definition, key: 'operationId', reason }], { cause });
}

/** True also for a reference, whose target is judged by itself. */
function isPlainScalar({ type = '', ...keywords }: Schema): boolean {
  if (Object.keys(keywords).join() === '$ref') return true;
  const isScalar = typeof type === 'string' && ['boolean', 'integer', 'number', 'string'].includes(type);
  return isScalar && !['$ref', 'default', 'oneOf', 'anyOf', 'if'].some((key) => key in keywords);
}

/** The body of a response with its media type. */
interface CheckedContent {
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** The headers of a response, by their names in lower case. */
type Headers = ReadonlyMap<
  string,
  { readonly name: string; readonly value: unknown; readonly texts: readonly string[] }
>;

const NO_HEADERS: Headers = new Map();

function headersOf(headers: NonNullable<ResponseValue['headers']>): Headers {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => [name.toLowerCase(), { name, value, texts: [checkedText(name, value)] }]),
  );
}

function checkedText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => partText(name, item)).join(',');
  return value instanceof JsonHeader || value === null ? String(value) : partText(name, value);
}

/** @throws MismatchError for a value that a client reads as another one. */
function requireAsGiven(name: string, value: unknown, read: unknown): void {
  if (Array.isArray(value) && Array.isArray(read) && value.length !== read.length) {
    throw new MismatchError(`/${name}`, 'must have no comma in an item, and no empty one: the list would have others');
  }
  if (value === null && read !== null) throw new MismatchError(`/${name}`, 'must not be null: leave it out');
}

/** The error for a wrong response: what is wrong with it, and why. */
type ResponseMistake = (what: string, cause?: unknown) => ResponseError;

function mistakeOf(id: string, status: number): ResponseMistake {
  return (what, cause) => new ResponseError(`${id} answered ${status} ${what}`, status, cause);
}

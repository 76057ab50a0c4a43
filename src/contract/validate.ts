import { messageOf, RequestError } from '../errors.ts';
import type { Contract, Operation } from './document/load.ts';
import { ExactJson } from './numbers/exact-json.ts';
import type { ParameterValues } from './parameters/parameters.ts';
import type { ResponseValue } from './respond.ts';
import { OpenApiValidator } from './validation/openapi-validator.ts';
import { declaredType, isRange, kindOf } from './bodies/media-type.ts';
import { schemaOf, validationDocument, type ValidationDocument } from './validation/validation-document.ts';

/** A validated request; `types.ts` gives each handler the exact type. */
export interface ValidRequest extends ParameterValues {
  readonly body: unknown;
  /** The media type of the body; undefined without one. */
  readonly contentType: string | undefined;
}

/** Checks the messages of one operation against its schemas. */
export class OperationValidator {
  readonly #contract: Contract;
  readonly #operation: Operation;
  readonly #exact: ExactJson;
  readonly #document: ValidationDocument;
  readonly #validators = new Map<string, Promise<OpenApiValidator>>();
  #validator: OpenApiValidator | undefined;

  /** @throws Refused with every place that cannot be served. */
  constructor(contract: Contract, operation: Operation) {
    this.#contract = contract;
    this.#operation = operation;
    this.#exact = new ExactJson(contract.document);
    this.#document = validationDocument(contract, operation);
  }

  /** @throws Refused when express-openapi-validator cannot. */
  async compile(mediaType = ''): Promise<OpenApiValidator> {
    const known =
      this.#validators.get(mediaType) ??
      OpenApiValidator.create(this.#operation, validationDocument(this.#contract, this.#operation, mediaType));
    this.#validators.set(mediaType, known);
    return (this.#validator = await known);
  }

  /** @throws RequestError invalidParameter or invalidBody. */
  async request(
    { params, query, headers, cookies }: ParameterValues,
    mediaType: string | undefined,
    body: unknown,
  ): Promise<ValidRequest> {
    const schema = this.#operation.requestBody?.content[mediaType ?? '']?.schema ?? {};
    const exact = mediaType === undefined || body === undefined ? undefined : this.#exact.read(schema, body);
    const group = (location: string, found: object): Record<string, unknown> => {
      const own = this.#operation.parameters.filter((one) => one.in === location);
      const properties = Object.fromEntries(own.map((one) => [one.name, schemaOf(one)]));
      try {
        return this.#exact.read({ type: 'object', properties }, found) as Record<string, unknown>;
      } catch (cause) {
        throw new RequestError('invalidParameter', messageOf(cause), { cause });
      }
    };
    const request = {
      params: group('path', params),
      query: group('query', query),
      headers: group('header', headers),
      cookies: group('cookie', cookies),
      contentType: mediaType,
      body: exact,
    };
    const validator = await this.compile(exact === undefined ? '' : mediaType);
    await validator.checkRequest(request);
    return request;
  }

  /** @throws Error that describes the handler's mistake. */
  response({ status, contentType = '', body }: ResponseValue): void {
    const answered = `${this.#operation.id} answered ${status}`;
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find(
      (one) => one in this.#operation.responses,
    );
    if (key === undefined) throw new Error(`${answered}, which the contract does not declare.`);
    const { content = {} } = this.#operation.responses[key] ?? {};
    if (Object.keys(content).length === 0 || status === 204) {
      if (body === undefined) return;
      throw new Error(`${answered} with a body, which the contract does not declare.`);
    }
    if (body === undefined) throw new Error(`${answered} without a body`);
    const type = declaredType(Object.keys(content), contentType);
    if (type === undefined) throw new Error(`${answered} with ${contentType}`);
    const standIn = this.#document.statuses.get(key);
    if (standIn === undefined || type !== Object.keys(content).find((one) => kindOf(one) === 'json' || isRange(one)))
      return;
    this.#validator?.checkResponse(standIn, body);
    try {
      this.#exact.read(content[type]?.schema ?? {}, body);
    } catch (cause) {
      throw new Error(`${answered} with an int64 out of its bounds.`, { cause });
    }
  }
}

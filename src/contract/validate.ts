import type { Request, Response } from 'express';
import { resolve, type Schema } from './document/openapi-document.ts';
import type { Contract, Operation } from './document/load.ts';
import { together } from './document/refusal.ts';
import { ExactJson } from './numbers/exact-json.ts';
import type { ResponseValue } from './respond.ts';
import { readJsonBody, requireNoBody } from './validation/json-body.ts';
import { OpenApiValidator } from './validation/openapi-validator.ts';
import { Parameters, type ParameterValues } from './validation/parameters.ts';
import { MEDIA_TYPE, validationDocument, type ValidationDocument } from './validation/validation-document.ts';

/** A validated request; `types.ts` gives each handler the exact type. */
export interface ValidRequest extends ParameterValues {
  readonly body: unknown;
}

/** The content of a declared response. */
interface Content {
  readonly schema: Schema;
  /** The status of the response in the validator's document. */
  readonly status: number;
}

/** Checks the messages of one operation against the contract. */
export class OperationValidator {
  readonly #operation: Operation;
  readonly #parameters: Parameters;
  readonly #exact: ExactJson;
  readonly #document: ValidationDocument;
  /** The content of each declared status, undefined for a status without content. */
  readonly #contents: ReadonlyMap<string, Content | undefined>;
  #compiled: Promise<OpenApiValidator> | undefined;
  #validator: OpenApiValidator | undefined;

  /** @throws Refused with every place that cannot be served. */
  constructor(contract: Contract, operation: Operation) {
    this.#operation = operation;
    this.#exact = new ExactJson(contract.document);
    [this.#parameters, this.#document] = together<[Parameters, ValidationDocument]>(
      () => new Parameters(contract, operation),
      () => validationDocument(contract, operation),
    );
    this.#contents = this.#declaredContents(contract);
  }

  /**
   * Compiles the schemas now instead of at the first request.
   * @throws Refused when express-openapi-validator cannot.
   */
  async compile(): Promise<OpenApiValidator> {
    this.#compiled ??= OpenApiValidator.create(this.#operation, this.#document);
    return (this.#validator = await this.#compiled);
  }

  /**
   * Validates a request and returns its parameters and body, with exact numbers.
   * @throws RequestError invalidParameter, unknownQueryParameter, malformedUrl, or one about the
   * body.
   */
  async request(
    message: Request,
    response: Response,
    path: Readonly<Record<string, string>>,
    queryString: string,
  ): Promise<ValidRequest> {
    const { requestBody } = this.#operation;
    if (requestBody === undefined) await requireNoBody(message);
    const json = requestBody && (await readJsonBody(requestBody, message, response));
    const { params, query, headers } = this.#parameters.read(path, queryString, message.headers);
    const schema = requestBody?.content[MEDIA_TYPE]?.schema ?? {};
    const body = json === undefined ? undefined : this.#exact.read(schema, json);
    const request = { params, query, headers, body };
    const validator = this.#validator ?? (await this.compile());
    await validator.checkRequest(request);
    return request;
  }

  /**
   * Validates a handler's response.
   * @throws Error that describes the handler's mistake.
   */
  response({ status, body }: ResponseValue): void {
    const answered = `${this.#operation.id} answered ${status}`;
    const declared = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((key) =>
      this.#contents.has(key),
    );
    if (declared === undefined) throw new Error(`${answered}, which the contract does not declare.`);
    const content = this.#contents.get(declared);
    if (content === undefined) {
      if (body === undefined) return;
      throw new Error(`${answered} with a body, which the contract does not declare.`);
    }
    if (this.#validator === undefined) throw new Error(`${answered} before there was a request.`);
    this.#validator.checkResponse(content.status, body);
    try {
      // The validator accepts exact values, but does not check the bounds of int64s.
      this.#exact.read(content.schema, body);
    } catch (cause) {
      // Not a RequestError, which would blame the client.
      throw new Error(`${answered} with an int64 out of its bounds.`, { cause });
    }
  }

  #declaredContents({ document }: Contract): Map<string, Content | undefined> {
    return new Map(
      Object.entries(this.#operation.definition.responses).map(([key, reference]) => {
        const status = this.#document.statuses.get(key);
        const schema = resolve(document, reference).content?.[MEDIA_TYPE]?.schema ?? {};
        return [key, status === undefined ? undefined : { schema, status }];
      }),
    );
  }
}

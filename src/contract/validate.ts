import type { Schema } from './document/openapi-document.ts';
import type { Contract, Operation } from './document/load.ts';
import { ExactJson } from './numbers/exact-json.ts';
import type { ParameterValues } from './parameters/parameters.ts';
import type { ResponseValue } from './respond.ts';
import { OpenApiValidator } from './validation/openapi-validator.ts';
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

/** Checks the messages of one operation against its schemas. */
export class OperationValidator {
  readonly #operation: Operation;
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
    this.#document = validationDocument(contract, operation);
    this.#contents = this.#declaredContents();
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
   * Validates the parameters and the body of a request.
   * @param mediaType the declared media type of the body; undefined without a body.
   * @param body its value, with numbers as `LosslessNumber`s.
   * @returns the same with exact numbers and defaults.
   * @throws RequestError invalidParameter or invalidBody.
   */
  async request(
    { params, query, headers }: ParameterValues,
    mediaType: string | undefined,
    body: unknown,
  ): Promise<ValidRequest> {
    const schema = this.#operation.requestBody?.content[MEDIA_TYPE]?.schema ?? {};
    const exact = mediaType === undefined ? undefined : this.#exact.read(schema, body);
    const request = { params, query, headers, body: exact };
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

  #declaredContents(): Map<string, Content | undefined> {
    return new Map(
      Object.entries(this.#operation.responses).map(([key, { content }]) => {
        const status = this.#document.statuses.get(key);
        const schema = content?.[MEDIA_TYPE]?.schema ?? {};
        return [key, status === undefined ? undefined : { schema, status }];
      }),
    );
  }
}

import { stringify } from 'lossless-json';
import type { Contract, Operation } from '../document/read-contract.ts';
import { declaredStatus } from '../document/operations.ts';
import type { RequestError } from '../errors/errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import type { MediaTypeObject, Schema } from '../schema/openapi-document.ts';
import type { Place } from '../schema/places.ts';
import { JsonBody } from '../json/json-body.ts';
import type { DeclaredProperties } from '../response/declared-properties.ts';
import { ResponseValidator } from '../response/validate-response.ts';
import { OperationSchemas } from '../validation/operation-schemas.ts';
import type { Validation } from '../validation/validation.ts';
import { defaultErrorBodies } from './default-error-body.ts';
import type { ErrorContent } from './error-body.ts';

/** What a response declares, by media type. */
type Content = Readonly<Record<string, MediaTypeObject>>;

/** The declared body of a failure, with its validator. */
export class ErrorForm {
  /** Among the forms of a contract. */
  readonly index: number;
  readonly #schemas: OperationSchemas;
  readonly #validator: ResponseValidator;

  /**
   * @param schemas of an operation that has nothing but the response to the failure.
   * @param declared the properties that are sent; undefined for all.
   */
  constructor(index: number, schemas: OperationSchemas, declared: DeclaredProperties | undefined) {
    this.index = index;
    this.#schemas = schemas;
    this.#validator = new ResponseValidator(schemas, declared);
  }

  compile(): Promise<void> {
    return this.#schemas.compile();
  }

  /** @throws InvalidResponseError for content that is not as declared. The form is compiled. */
  requireValid(status: number, content: ErrorContent): void {
    this.#validator.validateContent(status, content);
  }

  /** Content as sent: without what is not declared, if that is left out. */
  declaredContent(status: number, content: ErrorContent): ErrorContent {
    return { ...content, body: this.#validator.declaredBody(status, content) };
  }

  /**
   * The default body of a failure. The form is compiled. The first one that keeps the message, of
   * which the contract may not declare anything.
   * @throws InvalidResponseError where none is as declared.
   */
  defaultContent(error: RequestError): ErrorContent {
    const { validation, operation } = this.#schemas;
    const { document } = validation.contract;
    const placeOf = (schema: Schema): Place | undefined => validation.places.placeOf(schema);
    const contents = Object.values(operation.responses).map(({ content = {} }) => content);
    const types = contents.flatMap(Object.keys).join(' or ');
    let valid: ErrorContent | undefined;
    let mismatch = new InvalidResponseError(`A failure has no body of ${types}.`, error.status, undefined);
    for (const content of contents.flatMap((declared) => [...defaultErrorBodies(document, declared, error, placeOf)])) {
      try {
        const body = this.#validator.validateContent(error.status, content);
        const sent = { ...content, body };
        if (!(body instanceof JsonBody) || body.text.includes(JSON.stringify(error.message))) return sent;
        valid ??= sent;
      } catch (cause) {
        if (!(cause instanceof InvalidResponseError)) throw cause;
        // The last was made from the schema.
        mismatch = cause;
      }
    }
    if (valid !== undefined) return valid;
    throw mismatch;
  }
}

/** The failures of a contract as operations, each once: most operations share theirs. */
export class FailureOperations {
  /** Each has nothing but the response to the failure. */
  readonly operations: readonly Operation[];
  /** The index of a failure, by the content of its response and the key of it. */
  readonly #indexes = new Map<Content, Map<string, number>>();

  constructor(contract: Contract) {
    const described: Operation[] = [];
    const byText = new Map<string, number>();
    for (const operation of contract.operations) {
      for (const [key, content] of errorContents(operation)) {
        const byKey = getOrInsert(this.#indexes, content, () => new Map<string, number>());
        if (byKey.has(key)) continue;
        const text = stringify([key, content]) ?? '';
        byKey.set(
          key,
          getOrInsert(byText, text, () => described.push(withResponse(operation, key)) - 1),
        );
      }
    }
    this.operations = described;
  }

  /**
   * The index of what an operation declares for a status; undefined where it declares no content.
   */
  indexOf({ responses }: Operation, status: number): number | undefined {
    const key = declaredStatus(responses, status) ?? '';
    const content = responses[key]?.content;
    return content && this.#indexes.get(content)?.get(key);
  }
}

/** The forms of the failures of a contract. */
export class ErrorForms {
  readonly #failures: FailureOperations;
  readonly #forms: readonly ErrorForm[];

  /**
   * @param validation of the operations of the failures.
   * @param declared the properties that are sent; undefined for all.
   */
  constructor(failures: FailureOperations, validation: Validation, declared: DeclaredProperties | undefined) {
    this.#failures = failures;
    this.#forms = failures.operations.map(
      (operation, index) => new ErrorForm(index, new OperationSchemas(validation, operation), declared),
    );
  }

  /** What an operation declares for a status; undefined where it declares no content. */
  formOf(operation: Operation, status: number): ErrorForm | undefined {
    const index = this.#failures.indexOf(operation, status);
    return index === undefined ? undefined : this.#forms[index];
  }
}

/** The contents of an operation's responses to failures, by their keys. */
function errorContents({ responses }: Operation): readonly [key: string, Content][] {
  return Object.entries(responses).flatMap(([key, { content = {} }]): [string, Content][] =>
    /^(?:[45]|default$)/.test(key) && Object.keys(content).length > 0 ? [[key, content]] : [],
  );
}

/** An operation that has nothing but one of its responses. */
function withResponse(operation: Operation, key: string): Operation {
  const responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status === key));
  return { ...operation, parameters: [], requestBody: undefined, responses };
}

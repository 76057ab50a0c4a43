import type { Response as ExpressResponse } from 'express';
import type { Operation } from '../document/read-contract.ts';
import { declaredStatus } from '../document/operations.ts';
import { described } from '../errors/described.ts';
import type { RequestError } from '../errors/errors.ts';
import { respond } from '../response/respond.ts';
import { isObject } from '../schema/openapi-document.ts';
import type { ErrorBody, ErrorContent } from './error-body.ts';
import { problemDetails } from './default-error-body.ts';
import type { ErrorForm, ErrorForms } from './error-forms.ts';

/** Writes failures as the matched operation declares them. */
export class ErrorResponses {
  readonly #forms: ErrorForms;
  readonly #errorBody: ErrorBody | undefined;

  constructor(forms: ErrorForms, errorBody: ErrorBody | undefined) {
    this.#forms = forms;
    this.#errorBody = errorBody;
  }

  /**
   * Writes a failure with these headers, without a body if the contract declares no content.
   * @throws whatever the author's function for error bodies throws.
   */
  async sendError(
    response: ExpressResponse,
    error: RequestError,
    operation: Operation | undefined,
    furtherHeaders: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { status } = error;
    const headers = { ...error.headers, ...furtherHeaders };
    const mediaTypes = errorMediaTypes(operation, status);
    const form = operation && this.#forms.formOf(operation, status);
    const own = mediaTypes && ownContent(this.#errorBody, error, mediaTypes, operation);
    const content =
      own === undefined ? mediaTypes && (await defaultContent(form, error)) : declaredContent(form, status, own);
    await respond(response, { status, headers, ...content });
  }
}

function declaredContent(form: ErrorForm | undefined, status: number, content: ErrorContent): ErrorContent {
  return form === undefined ? content : form.declaredContent(status, content);
}

/** The default body of a failure, or problem details where no body is as declared. */
async function defaultContent(form: ErrorForm | undefined, error: RequestError): Promise<ErrorContent> {
  if (form === undefined) return problemDetails(error);
  try {
    await form.compile();
    return form.defaultContent(error);
  } catch {
    // The start has shown the failures of this library: this one is the author's.
    return problemDetails(error);
  }
}

/**
 * What the author's function makes of a failure; undefined without one.
 * @throws TypeError for a value of another form.
 */
export function ownContent(
  errorBody: ErrorBody | undefined,
  error: RequestError,
  mediaTypes: readonly string[],
  operation: Operation | undefined,
): ErrorContent | undefined {
  const content: unknown = errorBody?.(error, mediaTypes, operation);
  if (content === undefined) return undefined;
  if (isObject(content) && typeof content['contentType'] === 'string' && 'body' in content) {
    // Safe: it has the two properties.
    return content as unknown as ErrorContent;
  }
  const example = "{ contentType: 'application/json', body: { message } }";
  throw new TypeError(
    `The option errorBody must return { contentType, body }, such as ${example}, or undefined for the default, not ${described(content)}.`,
  );
}

/**
 * The media types that an operation declares for a status; none if it does not declare the status.
 * Undefined where it is declared without content.
 */
export function errorMediaTypes(operation: Operation | undefined, status: number): readonly string[] | undefined {
  const declared = operation?.responses[declaredStatus(operation.responses, status) ?? ''];
  if (declared === undefined) return [];
  const mediaTypes = Object.keys(declared.content ?? {});
  return mediaTypes.length === 0 ? undefined : mediaTypes;
}

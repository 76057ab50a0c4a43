import { RequestError } from '../../errors.ts';

/** A verdict of express-openapi-validator in the words of the contract: which parameter, or which place in the body. Other errors stay. */
export function asRequestError(error: unknown): unknown {
  if (!isValidatorError(error) || error.status !== 400) return error;
  const [first] = error.errors;
  const [, part = '', ...names] = first?.path.split('/') ?? [];
  const what = first?.message ?? 'is not as the contract describes it';
  if (part === 'body') {
    const place = names.length === 0 ? '' : `'s /${names.join('/')}`;
    return new RequestError('invalidBody', `The request body${place} ${what}.`, { cause: error });
  }
  return new RequestError('invalidParameter', `${PARTS[part] ?? part} '${names.join('/')}' ${what}.`, { cause: error });
}

const PARTS: Readonly<Record<string, string>> = {
  params: 'Path parameter',
  query: 'Query parameter',
  headers: 'Header',
};

interface ValidatorError {
  readonly status: number;
  readonly errors: readonly { readonly path: string; readonly message?: string }[];
}

function isValidatorError(error: unknown): error is ValidatorError {
  return (
    typeof error === 'object' && error !== null && 'status' in error && 'errors' in error && Array.isArray(error.errors)
  );
}

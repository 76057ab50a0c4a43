import type { Contract, Operation } from '../document/read-contract.ts';
import { ConfigurationError, messageOf, RequestError, type Reason, type RequestFault } from '../errors/errors.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import type { ErrorForms } from './error-forms.ts';
import type { ErrorBody } from './error-body.ts';
import { errorMediaTypes, ownContent } from './error-response.ts';
import { answeredFailures, type OwnFailure } from './own-failures.ts';

/** The most operations that the line of a misfit names. */
const MOST_NAMED = 10;

/** A body that is not as operations declare it. */
export interface ErrorBodyMisfit {
  readonly failure: OwnFailure;
  /** The operations that share the declaration. */
  readonly operations: readonly Operation[];
  readonly mismatch: string;
}

/**
 * Requires that the error bodies of this library are as the operations declare them.
 * @param failuresOf the failures that are answered for an operation.
 * @throws ConfigurationError that lists each misfit: operation, status, and the contract's rule.
 */
export async function requireErrorBodies(
  contract: Contract,
  forms: ErrorForms,
  errorBody: ErrorBody | undefined,
  failuresOf: typeof answeredFailures,
): Promise<void> {
  requireUnmatched(errorBody);
  const misfits = await errorBodyMisfits(contract.operations, forms, errorBody, failuresOf);
  if (misfits.length === 0) return;
  const subject = errorBody === undefined ? 'the default body' : 'what errorBody returns';
  const lines = await misfitLines(contract, misfits, subject);
  const wayOut =
    'Give contractMiddleware the option errorBody: (error, mediaTypes, operation) => ({ contentType, body }), ' +
    'with a body that the operation declares for error.status. Undefined stands for the default body.';
  throw new ConfigurationError([...lines, wayOut].join('\n'));
}

/** The bodies that are not as operations declare them, those of one cause together. */
export async function errorBodyMisfits(
  operations: readonly Operation[],
  forms: ErrorForms,
  errorBody?: ErrorBody,
  failuresOf = answeredFailures,
): Promise<readonly ErrorBodyMisfit[]> {
  const misfits = new Map<string, ErrorBodyMisfit & { readonly operations: Operation[] }>();
  const defaults = new Map<string, string>();
  for (const operation of operations) {
    for (const failure of failuresOf(operation)) {
      const [status] = failure;
      const mediaTypes = errorMediaTypes(operation, status);
      if (mediaTypes === undefined) continue;
      const error = sampleError(failure);
      const form = forms.formOf(operation, status);
      const key = `${form?.index} ${failure.join(' ')}`;
      await form?.compile();
      const mismatch = mismatchOf(() => {
        const own = ownContent(errorBody, error, mediaTypes, operation);
        if (own !== undefined) form?.requireValid(status, own);
        else if (form !== undefined) {
          const known = getOrInsert(defaults, key, () => mismatchOf(() => form.defaultContent(error)));
          if (known !== '') throw new Error(known);
        }
      });
      if (mismatch === '') continue;
      const misfit = getOrInsert(misfits, `${key} ${mismatch}`, () => ({ failure, operations: [], mismatch }));
      misfit.operations.push(operation);
    }
  }
  return [...misfits.values()];
}

/** A request that matches no operation gets a body too. */
function requireUnmatched(errorBody: ErrorBody | undefined): void {
  const mismatch = mismatchOf(() => ownContent(errorBody, sampleError([404, 'unknownPath']), [], undefined));
  if (mismatch === '') return;
  throw new ConfigurationError(`For a request that matches no operation: ${mismatch}`);
}

/** A failure like those of requests: one of an invalid request has a fault. */
function sampleError([, reason]: OwnFailure): RequestError {
  const message = 'The request is not as the contract describes it.';
  const place = PLACES[reason];
  const faults = place === undefined ? [] : [{ in: place, pointer: '/name', keyword: 'type', message }];
  return new RequestError(reason, message, { faults });
}

/** Where the faults of a refusal may be. */
const PLACES: Readonly<Partial<Record<Reason, RequestFault['in']>>> = {
  invalidParameter: 'query',
  unknownQueryParameter: 'query',
  invalidBody: 'body',
  malformedBody: 'body',
};

/** The message of what a function throws; '' if it returns. */
function mismatchOf(run: () => unknown): string {
  try {
    run();
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

/** A line for each misfit. @param subject whose body it is. */
async function misfitLines(
  { sources }: Contract,
  misfits: readonly ErrorBodyMisfit[],
  subject: string,
): Promise<readonly string[]> {
  const named = misfits.flatMap(({ operations }) => operations.slice(0, MOST_NAMED));
  const lines = await sources.linesOf(named.map(({ definition }) => definition));
  const places = new Map(named.map((operation, index) => [operation, lines[index]]));
  return misfits.map(({ failure: [status, reason], operations, mismatch }) => {
    const [first, ...others] = operations.slice(0, MOST_NAMED);
    const also = others.map((operation) => `${operation.id} (${places.get(operation)})`);
    if (operations.length > MOST_NAMED) also.push(`${operations.length - MOST_NAMED} more`);
    const shared = also.length === 0 ? '' : ` The same holds for ${also.join(', ')}.`;
    return `${first && places.get(first)}: ${first?.id} does not allow ${subject} for ${status} (${reason}). ${mismatch}${shared}`;
  });
}

import { shortened } from '../errors/shortened.ts';
import type { Failure } from './options.ts';

/** The longest path that is printed, in characters. */
const MOST_OF_PATH = 200;

/** Prints failures, except overload: a line for each refused request would add to the load. */
export function printFailure(failure: Failure): undefined {
  const { error, refusal } = failure;
  if (refusal.status >= 500 && refusal.reason !== 'overloaded') printAll('%s', `${subjectOf(failure)} failed:`, error);
}

/** The operation, the method, the path and the request id. A query may hold secrets. */
function subjectOf({ operation = 'A request', request, response }: Failure): string {
  const [path = ''] = request.originalUrl.split(/[?#]/, 1);
  const { requestId } = response.locals as { readonly requestId?: string };
  const id = requestId === undefined ? '' : `, request ${requestId}`;
  return `${operation} (${request.method} ${shortened(path, MOST_OF_PATH)}${id})`;
}

/** Prints failures, also those whose inspection throws. */
export function printAll(...failures: readonly unknown[]): void {
  try {
    console.error(...failures);
  } catch {
    console.error('A failure cannot be printed: its own inspection fails.');
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../errors/errors.ts';
import type { ValidRequest } from '../bodies/received-body.ts';
import type { Operation } from '../document/read-contract.ts';
import { isSafe } from '../http/methods.ts';
import { discard, type ResponseValue } from '../response/respond.ts';

/** An operation with preconditions. */
export interface Conditional {
  readonly method: Operation['method'];
  /** Declared header parameters, in lower case, which the handler evaluates itself. */
  readonly ownHeaders: ReadonlySet<string>;
  readonly handle: (request: ValidRequest) => ResponseValue | Promise<ResponseValue>;
  readonly check: Check | undefined;
}

/**
 * The normal request checks of an operation, without its effect (RFC 9110, section 13.2.1): the
 * resulting response, such as 404, or undefined if the handler would act.
 */
type Check = (request: ValidRequest) => ResponseValue | undefined | Promise<ResponseValue | undefined>;

/** Methods that select no representation: preconditions are ignored (RFC 9110, section 13.2.1). */
const UNCONDITIONAL: ReadonlySet<string> = new Set(['OPTIONS', 'TRACE']);

/**
 * An entity tag with trailing spaces, and a list with empty elements (RFC 9110, sections 8.8.3 and
 * 5.6.1).
 */
const TAG = String.raw`(?:(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?`;
const TAGS = new RegExp(String.raw`^[ \t]*${TAG}(?:,[ \t]*${TAG})*$`);

/**
 * The failure of `If-Match` and `If-None-Match` for an existing target; undefined if they hold (RFC
 * 9110, section 13.2.2). Targets have no entity tags or modification dates; date conditions are
 * ignored (section 13.1.4).
 */
export function failedPrecondition(
  { method, ownHeaders }: Conditional,
  headers: IncomingHttpHeaders,
): RequestError | undefined {
  if (UNCONDITIONAL.has(method)) return undefined;
  const ifMatch = ownHeaders.has('if-match') ? undefined : headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== '*') return NO_ENTITY_TAG;
  const ifNoneMatch = ownHeaders.has('if-none-match') ? undefined : headers['if-none-match'];
  // A read may always return the full response: 304 needs a cached copy.
  if (ifNoneMatch === undefined || isSafe(method) || TAGS.test(ifNoneMatch)) return undefined;
  return ifNoneMatch === '*' ? TARGET_EXISTS : MALFORMED;
}

/**
 * The response to a request whose precondition fails: that of the operation's checks, which tell
 * 404 from 412.
 * @throws the failure if they have none; errors of the handler and the checks.
 */
export async function respondUnmet(
  { method, handle, check }: Conditional,
  request: ValidRequest,
  failure: RequestError,
): Promise<ResponseValue> {
  // A safe method has no effect: its handler serves as the checks.
  const answer = isSafe(method) ? await handle(request) : await check?.(request);
  if (answer !== undefined && answer.status >= 300) return answer;
  if (answer !== undefined) discard(answer);
  throw failure;
}

const NO_ENTITY_TAG = new RequestError(
  'preconditionFailed',
  "If-Match does not hold: there is no entity tag to match. Send 'If-Match: *', or leave the header out.",
);
const TARGET_EXISTS = new RequestError(
  'preconditionFailed',
  "If-None-Match does not hold: '*' matches everything that exists, as the target does.",
);
/** A malformed precondition fails, which changes nothing. */
const MALFORMED = new RequestError(
  'preconditionFailed',
  "If-None-Match does not hold: its value must be '*' or a list of entity tags in double quotes.",
);

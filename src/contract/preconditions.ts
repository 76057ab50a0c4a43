import type { IncomingHttpHeaders } from 'node:http';
import { RequestError } from '../errors.ts';
import type { Operation } from './document/load.ts';
import type { ResponseValue } from './respond.ts';
import type { ValidRequest } from './validate.ts';

/** An operation whose preconditions are evaluated for it. */
export interface Conditional {
  readonly method: Operation['method'];
  /** Lower-case names of the header parameters that the contract declares: the handler evaluates those itself. */
  readonly ownHeaders: ReadonlySet<string>;
  readonly handle: (request: ValidRequest) => ResponseValue | Promise<ResponseValue>;
  readonly check: Check | undefined;
}

/**
 * The normal request checks of an operation, without its effect (RFC 9110, section 13.2.1): the response that they lead to,
 * such as 404, or undefined when the handler would act.
 */
export type Check = (request: ValidRequest) => ResponseValue | undefined | Promise<ResponseValue | undefined>;

/** Methods whose handler changes nothing, so that its own answer tells what its checks say. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
/** Methods that select no representation: preconditions are ignored (RFC 9110, section 13.2.1). */
const UNCONDITIONAL: ReadonlySet<string> = new Set(['OPTIONS', 'TRACE']);

/** An entity tag with the spaces behind it, and a list of them with empty elements (RFC 9110, sections 8.8.3 and 5.6.1). */
const TAG = String.raw`(?:(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*)?`;
const TAGS = new RegExp(String.raw`^[ \t]*${TAG}(?:,[ \t]*${TAG})*$`);

/**
 * Calls the handler of an operation if the preconditions of the request hold: `If-Match` and `If-None-Match` (RFC 9110,
 * section 13). Responses have no entity tags, so a precondition holds for every target that exists or for none. In the
 * second case nothing is changed, and the operation's checks tell 404 from 412; without checks the answer is 412.
 * `If-Modified-Since` and `If-Unmodified-Since` are ignored, since there are no modification dates (section 13.1.4).
 * @throws RequestError preconditionFailed; whatever the handler and the checks throw.
 */
export function handleConditionally(
  target: Conditional,
  request: ValidRequest,
  headers: IncomingHttpHeaders,
): ResponseValue | Promise<ResponseValue> {
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return target.handle(request);
  const failure = failedPrecondition(target, headers);
  return failure === undefined ? target.handle(request) : refuse(target, request, failure);
}

/** The answer to a target that exists; undefined when all preconditions hold for it (order: RFC 9110, section 13.2.2). */
function failedPrecondition(
  { method, ownHeaders }: Conditional,
  headers: IncomingHttpHeaders,
): RequestError | undefined {
  if (UNCONDITIONAL.has(method)) return undefined;
  const ifMatch = ownHeaders.has('if-match') ? undefined : headers['if-match'];
  if (ifMatch !== undefined && ifMatch !== '*') return NO_ENTITY_TAG;
  const ifNoneMatch = ownHeaders.has('if-none-match') ? undefined : headers['if-none-match'];
  // A read may always be answered in full: 304 is for clients that have a copy.
  if (ifNoneMatch === undefined || READS.has(method) || TAGS.test(ifNoneMatch)) return undefined;
  return ifNoneMatch === '*' ? TARGET_EXISTS : MALFORMED;
}

/** Answers what the checks of the operation say, and the failure when they say nothing. */
async function refuse(
  { method, handle, check }: Conditional,
  request: ValidRequest,
  failure: RequestError,
): Promise<ResponseValue> {
  const answer = READS.has(method) ? await handle(request) : await check?.(request);
  if (answer !== undefined && answer.status >= 300) return answer;
  throw failure;
}

const NO_ENTITY_TAG = new RequestError(
  'preconditionFailed',
  "If-Match does not hold: there is no entity tag to match. Send 'If-Match: *', or leave the header out.",
);
const TARGET_EXISTS = new RequestError(
  'preconditionFailed',
  "If-None-Match does not hold: '*' stands for everything that exists, as the target does.",
);
/** What cannot be read does not hold: to do nothing is the safe choice. */
const MALFORMED = new RequestError(
  'preconditionFailed',
  "If-None-Match does not hold: its value must be '*' or a list of entity tags in double quotes.",
);

import type { Request, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { AnyFormats } from '../schema/codec.ts';
import type { GeneratedFormats } from '../schema/format-options.ts';
import type { BodyLimitOptions, BodyLimits } from '../bodies/limits.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import type { ErrorBody } from './error-body.ts';
import type { RequestError } from '../errors/errors.ts';
import type { WithDefaults } from '../json/with-defaults.ts';
import type { UndeclaredQuery } from '../parameters/parameters.ts';
import type { ResponseValue } from '../response/respond.ts';
import type { Guard } from '../security/authenticate.ts';
import type { AnyVerifiers, Principal } from '../security/verifier.ts';

/**
 * A change made by an operation with an unsafe method, for example for an audit log.
 * @example
 * onChange: ({ outcome, operation, principal }) => {
 *   audit.info({ outcome, operation, by: principal?.name });
 * }
 */
export interface Change {
  /** 'unknown': the request failed, but may have had its effect. */
  readonly outcome: 'done' | 'unknown';
  /** The operationId. */
  readonly operation: string;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The parameters of the query. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body of the request as the handler got it: a stream is read by now. */
  readonly body: unknown;
  readonly principal: Principal | undefined;
  /** What the option `requestId` returned. */
  readonly requestId: string | undefined;
  /** What the handler returned; undefined if the outcome is unknown. */
  readonly response: ResponseValue | undefined;
}

/**
 * A failure, before its response is written.
 * @example
 * onError: ({ error, refusal }) => {
 *   if (refusal.status >= 500) log.error(error);
 * }
 */
export interface Failure {
  /** The thrown value. */
  readonly error: unknown;
  /** What the client gets: `error` itself if it is a {@link RequestError}, else `internal`. */
  readonly refusal: RequestError;
  /** The operationId; undefined if the request matched no operation. */
  readonly operation: string | undefined;
  readonly request: Request;
  readonly response: Response;
}

/** Handlers by operationId, as the middleware calls them. */
export type AnyHandlers = Readonly<
  Record<string, ((request: never) => ResponseValue | Promise<ResponseValue>) | undefined>
>;

/** What happens to an operation without a handler. */
export type Unhandled = 'refuse' | 'next' | 'notImplemented';

/** What happens to properties of responses that the contract does not declare. */
export type UndeclaredProperties = 'send' | 'strip';

/** The checks of operations, by operationId, as the middleware calls them. */
type AnyChecks = Readonly<
  Record<string, ((request: never) => ResponseValue | undefined | Promise<ResponseValue | undefined>) | undefined>
>;

/**
 * Options of `contractMiddleware`.
 * @example
 * const options: MiddlewareOptions = { contract, handlers, verifiers, fallthrough: false };
 */
export interface MiddlewareOptions {
  readonly contract: Contract;
  /** A handler for each operation, by operationId: `Handlers<operations>`. */
  readonly handlers: AnyHandlers;
  /** A verifier for each security scheme: `Verifiers<securitySchemes>`. */
  readonly verifiers?: AnyVerifiers | undefined;
  /** Request checks for preconditions, by operationId: `Checks<operations>`. */
  readonly checks?: AnyChecks | undefined;
  /**
   * What happens to an operation without a handler. 'refuse', the default: the start stops. 'next':
   * its requests go to the routes behind, neither authenticated nor validated. 'notImplemented': a
   * client with valid credentials gets 501.
   */
  readonly unhandled?: Unhandled | undefined;
  /**
   * Called after authentication and before validation, with Express's request and response; what it
   * returns, or resolves to, is the `context` of the handler. The principal is in
   * `response.locals`. It may throw a {@link RequestError}, for example by an extension of the
   * operation.
   */
  readonly context?: ((request: Request, response: Response, operation: Operation) => unknown) | undefined;
  /** Whether a path that the contract does not have goes to `next()`; true by default, else 404. */
  readonly fallthrough?: boolean | undefined;
  /** Makes the bodies of failures; RFC 9457 problem details by default. */
  readonly errorBody?: ErrorBody | undefined;
  /**
   * Runs for each failure before it is answered. A {@link RequestError} that it returns is
   * answered instead. By default, failures of 500 and above are written to standard error, except
   * those of overload, since an attack makes many.
   */
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that logs has no return
  readonly onError?: ((failure: Failure) => RequestError | undefined | void) | undefined;
  /** Receives each change, or possible change, by an operation with an unsafe method. */
  readonly onChange?: ((change: Change) => void) | undefined;
  /** Gets the outcome of each authentication, for example for a rate limit. */
  readonly guard?: Guard | undefined;
  /** The protection space that challenges name; the contract's title by default. */
  readonly realm?: string | undefined;
  /** The operationIds whose handlers get the bytes of the body as `bytes`, for signatures. */
  readonly keepBytes?: readonly string[] | undefined;
  /** Limits of request bodies. */
  readonly bodyLimits?: BodyLimitOptions | undefined;
  /** Names a request for the header X-Request-Id and for `onChange`; by default it has no id. */
  readonly requestId?: ((request: IncomingMessage, response: Response) => string) | undefined;
  /**
   * What happens to a request with a query parameter that the contract does not have: 'refuse', the
   * default, answers 400; 'ignore' leaves the parameter out.
   */
  readonly undeclaredQuery?: UndeclaredQuery | undefined;
  /**
   * Custom formats, by name: `validate` replaces or adds the rule of a format; `decode` and
   * `encode` turn its texts and numbers into the values of handlers, and back. A text that `decode`
   * throws at is answered 400, a value that `encode` throws at 500.
   * @example
   * const formats = {
   *   date: { decode: (text: string) => new Date(text), encode: (date: Date) => isoDate(date) },
   *   iban: { validate: (text: string) => isIban(text) },
   * };
   */
  readonly formats?: AnyFormats | undefined;
  /**
   * The table `shapes` that `openapi-exact generate` writes: with it, a start stops where the types
   * of formats were generated otherwise than `formats` decodes them.
   */
  readonly shapes?: GeneratedTable | undefined;
  /**
   * What happens to a property of a response's JSON that the contract does not declare: 'send', the
   * default, sends it, as JSON Schema allows it; 'strip' takes it out before the response is
   * checked. An object whose schema names no properties is sent unchanged.
   */
  readonly undeclaredProperties?: UndeclaredProperties | undefined;
  /**
   * How long a handler may take to return its response, in milliseconds, or a function of the
   * operationId, which may return undefined; 60,000 by default, Infinity for no limit.
   */
  readonly timeout?: number | ((operation: string) => number | undefined) | undefined;
  /**
   * Whether the middleware sends `100 Continue` when it reads a body, so that headers alone can
   * refuse one. For servers whose listener for `checkContinue` is the application: any other server
   * of Node.js has sent it before. False by default.
   */
  readonly sendsContinue?: boolean | undefined;
}

/** What the middleware reads of the table `shapes`. */
interface GeneratedTable {
  readonly operations: object;
  readonly formats?: GeneratedFormats | undefined;
}

/** The options that have a default. */
type DefaultOption =
  | 'verifiers'
  | 'checks'
  | 'fallthrough'
  | 'onError'
  | 'realm'
  | 'undeclaredQuery'
  | 'undeclaredProperties'
  | 'unhandled'
  | 'keepBytes'
  | 'formats'
  | 'timeout'
  | 'sendsContinue';

/** The options of `contractMiddleware` with their defaults. */
export interface CompleteOptions extends WithDefaults<MiddlewareOptions, DefaultOption> {
  readonly contract: Contract;
  readonly handlers: AnyHandlers;
  readonly bodyLimits: BodyLimits;
  readonly errorBody: ErrorBody | undefined;
  readonly onChange: MiddlewareOptions['onChange'];
  readonly context: MiddlewareOptions['context'];
  readonly guard: Guard | undefined;
  readonly requestId: MiddlewareOptions['requestId'];
}

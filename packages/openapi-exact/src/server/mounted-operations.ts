import type { Contract, Operation } from '../document/read-contract.ts';
import { didYouMean } from '../errors/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { CompleteOptions, Unhandled } from './options.ts';
import { isSafe } from '../http/methods.ts';
import { bodyKind, isRange, servedTypes } from '../http/media-type.ts';
import type { Conditional } from './preconditions.ts';
import type { PreparedOperation } from './prepare.ts';
import { requireFunction } from '../errors/require-function.ts';
import { timeoutOf } from './require-options.ts';
import { Authentication, type Authenticator } from '../security/authenticate.ts';
import { validated } from './validated.ts';

/** An operation with its handler and authenticator. */
export interface MountedOperation extends Conditional, PreparedOperation {
  readonly id: string;
  readonly handling: Handling;
  /** Whether the handler gets the bytes of the body, too. */
  readonly keepsBytes: boolean;
  readonly isSafe: boolean;
  readonly authenticate: Authenticator;
  /** In milliseconds. */
  readonly timeout: number;
}

/** What answers an operation: a handler, a route behind with or without validation, or 501. */
export type Handling = 'handler' | 'validated' | Exclude<Unhandled, 'refuse'>;

/**
 * Binds each operation to its handler and its verifiers.
 * @throws ConfigurationError for handlers and verifiers that are missing, needless or no functions.
 */
export function mountOperations(
  options: CompleteOptions,
  prepared: readonly PreparedOperation[],
): ReadonlyMap<Operation, MountedOperation> {
  const { contract, handlers, checks, unhandled, keepBytes, verifiers, realm, guard } = options;
  const authentication = new Authentication(contract, verifiers, { realm, guard });
  requireOperations(contract, 'handler', handlers);
  requireOperations(contract, 'check', checks);
  for (const id of keepBytes) requireBuffered(contract, id);
  const handlerOf = ({ id }: Operation): unknown => (Object.hasOwn(handlers, id) ? handlers[id] : undefined);
  if (unhandled === 'refuse') requireHandlers(contract.operations.filter((each) => handlerOf(each) === undefined));
  const mounted = new Map<Operation, MountedOperation>();
  for (const preparedOperation of prepared) {
    const { operation } = preparedOperation;
    mounted.set(operation, {
      ...preparedOperation,
      id: operation.id,
      keepsBytes: keepBytes.includes(operation.id),
      handling: handlingOf(handlerOf(operation), unhandled),
      method: operation.method,
      ownHeaders: headerNames(operation),
      isSafe: isSafe(operation.method),
      authenticate: authentication.authenticatorOf(operation),
      timeout: timeoutOf(options, operation.id),
      // The compiler has checked the handler against the operation's types, and the validator makes
      // requests of that type. Where there is none, it is not called.
      handle: (handlerOf(operation) ?? validated) as MountedOperation['handle'],
      // The compiler has checked it against the operation's types, like the handler.
      check: (Object.hasOwn(checks, operation.id) ? checks[operation.id] : undefined) as MountedOperation['check'],
    });
  }
  return mounted;
}

/**
 * @param what each function is: a handler or a check.
 * @throws ConfigurationError for a name without an operation, or a value that is not a function.
 */
function requireOperations({ operations }: Contract, what: string, functions: Readonly<Record<string, unknown>>): void {
  const ids = new Set(operations.map(({ id }) => id));
  for (const [name, value] of Object.entries(functions)) {
    if (!ids.has(name)) {
      const missing = [...ids].filter((id) => !Object.hasOwn(functions, id));
      const question = didYouMean(name, missing);
      throw new ConfigurationError(`The ${what} '${name}' belongs to no operation of the contract.${question}`);
    }
    if (value !== undefined) requireFunction(value, `The ${what} of ${name}`);
  }
}

/** @throws ConfigurationError that names all operations without a handler, if there are any. */
function requireHandlers(missing: readonly Operation[]): void {
  const names = missing.map(({ id, method, path }) => `${id} (${method} ${path})`);
  if (names.length === 0) return;
  const sentences =
    names.length === 1
      ? [`The operation ${names.join('')} has no handler.`]
      : [`${names.length} operations have no handler:`, ...names];
  const wayOut = "Add what is missing, or set the option unhandled to 'next' or 'notImplemented'.";
  throw new ConfigurationError([...sentences, wayOut].join(names.length === 1 ? ' ' : '\n'));
}

/** @throws ConfigurationError for an operation without a body, or with one as a stream. */
function requireBuffered({ operations }: Contract, id: string): void {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) {
    const question = didYouMean(
      id,
      operations.map((each) => each.id),
    );
    throw new ConfigurationError(
      `The option keepBytes names '${id}', which is not an operation of the contract.${question}`,
    );
  }
  const types = servedTypes(operation.requestBody?.content ?? {});
  if (types.length > 0 && types.every((type) => BUFFERED.includes(bodyKind(type)) && !isRange(type))) return;
  throw new ConfigurationError(
    `The option keepBytes names ${id}, whose body is not buffered: keep the bytes of JSON, forms, XML and texts.`,
  );
}

const BUFFERED: readonly string[] = ['json', 'form', 'text', 'xml', 'events'];

/** @param unhandled what happens to an operation without a handler. */
function handlingOf(handler: unknown, unhandled: Unhandled): Handling {
  if (handler === validated) return 'validated';
  // Without a handler, 'refuse' has stopped the start.
  return handler === undefined && unhandled !== 'refuse' ? unhandled : 'handler';
}

/** The header parameters of an operation, in lower case. */
function headerNames({ parameters }: Operation): ReadonlySet<string> {
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return new Set(headers.map(({ name }) => name.toLowerCase()));
}

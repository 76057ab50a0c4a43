import type { Contract, Operation } from '../document/read-contract.ts';
import { didYouMean } from '../document/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { AnyHandlers, CompleteOptions } from './options.ts';
import type { Conditional } from './preconditions.ts';
import type { PreparedOperation } from './prepare.ts';
import { requireFunction } from '../errors/require-function.ts';
import { timeoutOf } from './require-options.ts';
import { Authentication, type Authenticator } from '../security/authenticate.ts';

/** An operation with its handler and authenticator. */
export interface MountedOperation extends Conditional, PreparedOperation {
  readonly id: string;
  readonly isSafe: boolean;
  readonly authenticate: Authenticator;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * Binds each operation to its handler and its verifiers.
 * @throws ConfigurationError for a handler or verifier that is missing, needless or no function.
 */
export function mountOperations(
  options: CompleteOptions,
  prepared: readonly PreparedOperation[],
): ReadonlyMap<Operation, MountedOperation> {
  const { contract, handlers, checks, verifiers, realm, guard } = options;
  const authentication = new Authentication(contract, verifiers, { realm, guard });
  requireOperations(contract, 'handler', handlers);
  requireOperations(contract, 'check', checks);
  const mounted = new Map<Operation, MountedOperation>();
  for (const preparedOperation of prepared) {
    const { operation } = preparedOperation;
    mounted.set(operation, {
      ...preparedOperation,
      id: operation.id,
      method: operation.method,
      ownHeaders: headerNames(operation),
      isSafe: SAFE_METHODS.includes(operation.method),
      authenticate: authentication.authenticatorOf(operation),
      timeout: timeoutOf(options, operation.id),
      handle: handlerOf(operation, handlers),
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

function handlerOf({ id, method, path }: Operation, handlers: AnyHandlers): MountedOperation['handle'] {
  const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
  if (handler === undefined) throw new ConfigurationError(`The operation ${id} (${method} ${path}) has no handler.`);
  // The compiler has checked the handler against the operation's types, and the validator makes
  // requests of that type.
  return handler as MountedOperation['handle'];
}

/** The header parameters of an operation, in lower case. */
function headerNames({ parameters }: Operation): ReadonlySet<string> {
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return new Set(headers.map(({ name }) => name.toLowerCase()));
}

import { described } from './described.ts';
import { ConfigurationError } from './errors.ts';

/**
 * Requires a function of the author of a service.
 * @param what such as `The handler of getTodo`.
 * @throws ConfigurationError for any other value.
 */
export function requireFunction(value: unknown, what: string): void {
  if (typeof value !== 'function') throw new ConfigurationError(`${what} must be a function, not ${described(value)}.`);
}

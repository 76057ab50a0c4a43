import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigurationError, ContractError } from 'openapi-exact';
import { codeOf, messageOf, OperatorError, StoreError } from '../errors.ts';
import { printable } from '../import/printable.ts';
import { ConstraintError, StatementError } from '../stores/database.ts';
import { adviceOn } from '../stores/postgres/advice.ts';

/** The log levels at which the stack is shown too. */
const DEBUGGING: ReadonlySet<string> = new Set(['debug', 'trace']);

/**
 * Prints the reason of a failed command on standard error: one line, or one per refusal of the
 * contract.
 * @returns the exit code: 2 for wrong usage, 1 for an error that the operator can correct.
 * @throws every other error, so that its stack is shown.
 */
export function reportError(error: unknown): number {
  // Commander has printed its help or error; its own exit code for wrong usage is 1.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!isOperatorsError(error)) throw error;
  const advice = error instanceof StoreError ? adviceOn(codeOf(error.cause), messageOf(error.cause)) : '';
  // A message may quote a text of several lines.
  const lines = error instanceof ContractError ? error.lines : [error.message.replaceAll(/\s*\n\s*/g, ' ') + advice];
  for (const line of lines) console.error(printable(line));
  if (DEBUGGING.has(process.env['LOG_LEVEL'] ?? '')) console.error(inspect(error));
  return 1;
}

/** True for an error whose message tells the operator what to do. */
function isOperatorsError(error: unknown): error is Error {
  const types = [OperatorError, ConfigurationError, StoreError, StatementError, ConstraintError];
  return types.some((type) => error instanceof type);
}

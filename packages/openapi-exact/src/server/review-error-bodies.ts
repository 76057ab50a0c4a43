import type { Contract } from '../document/read-contract.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { ContractValidator } from '../validation/express-openapi-validator/contract-validator.ts';
import { Validation } from '../validation/validation.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { errorBodyMisfits, type ErrorBodyMisfit } from './error-body-fit.ts';
import { ErrorForms, FailureOperations } from './error-forms.ts';

/** The most operations that the line of a misfit names. */
const MOST_NAMED = 3;

/**
 * What stops the start of a contract unless the option `errorBody` is given: failures whose default
 * body is not as operations declare it. @param contract that can be served.
 */
export async function errorBodyDiagnostics(contract: Contract): Promise<readonly Diagnostic[]> {
  const failures = new FailureOperations(contract);
  const validation = new Validation(contract, new ContractValidator(contract, failures.operations));
  const misfits = await errorBodyMisfits(contract.operations, new ErrorForms(failures, validation, undefined));
  const byCause = new Map<string, ErrorBodyMisfit[]>();
  for (const misfit of misfits) {
    const ids = misfit.operations.map(({ id }) => id).join();
    getOrInsert(byCause, `${misfit.mismatch} ${ids}`, () => []).push(misfit);
  }
  return [...byCause.values()].map(diagnosticOf);
}

/** @param misfits of the same operations, with the same mismatch. */
function diagnosticOf(misfits: readonly ErrorBodyMisfit[]): Diagnostic {
  const [{ operations, mismatch } = { operations: [], mismatch: '' }] = misfits;
  const [first, ...others] = operations;
  if (first === undefined) throw new Error(`A misfit has an operation: ${mismatch}`);
  const failures = misfits.map(({ failure: [status, reason] }) => `${status} (${reason})`).join(', ');
  const named = others.slice(0, MOST_NAMED).map(({ id }) => id);
  if (others.length > MOST_NAMED) named.push(`${others.length - MOST_NAMED} more`);
  const shared = named.length === 0 ? '' : ` The same holds for ${named.join(', ')}.`;
  const misfit = `${first.id} does not allow the default body for ${failures}. ${mismatch}${shared}`;
  const wayOut = 'The start is refused without the option errorBody of contractMiddleware.';
  return { node: first.definition, key: 'responses', reason: `${misfit} ${wayOut}` };
}

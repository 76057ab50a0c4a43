import { ConfigurationError, displayName } from 'openapi-exact/contract';
import { reviewContract, type Review } from '../lint/review.ts';
import { contractFile } from './contract-file.ts';

/**
 * Writes everything that is wrong in contracts to standard error: first the errors of all, then the
 * warnings. A line on standard output names each contract that can be served.
 * @returns whether all can be served.
 */
export async function check(contracts: readonly string[]): Promise<boolean> {
  const reviews = await Promise.all(contracts.map(async (name) => ({ name, ...(await reviewFile(name)) })));
  for (const line of reviews.flatMap(({ errors }) => errors)) console.error(line);
  for (const line of reviews.flatMap(({ warnings }) => warnings)) console.error(line);
  for (const { name, contract } of reviews) {
    if (contract === undefined) continue;
    const { length } = contract.operations;
    console.log(`${displayName(name)}: ${length} ${length === 1 ? 'operation' : 'operations'} can be served`);
  }
  return reviews.every(({ contract }) => contract !== undefined);
}

/** Reviews a contract; one that cannot be read is one error, beside those of the others. */
async function reviewFile(name: string): Promise<Pick<Review, 'contract' | 'errors' | 'warnings'>> {
  try {
    return await reviewContract(contractFile(name));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { contract: undefined, errors: [error.message], warnings: [] };
  }
}

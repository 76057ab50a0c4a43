import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../../src/server/load-contract.ts';
import { contractTypes } from 'openapi-exact-cli';
import { messageOf } from '../../src/errors/errors.ts';
import { sentMethod, writeJson, type OperationKey, type SourceDocument, operationOf } from 'openapi-exact-cli/examples';
import { onlyOperations } from './single-operation.ts';
import type { Outcome } from './test-operation.ts';
import { TypeChecks } from './type-checks.ts';

/** What the types of a contract say of messages that were exchanged. */
export interface TypeOutcome {
  /** A line for each message for which the types say otherwise than the service. */
  readonly contradictions: readonly string[];
  /** How many messages were compiled. */
  readonly compiled: number;
}

/**
 * Compiles the messages of operations with the types of their contract.
 * @param file where the contract of these operations is written.
 */
export async function testTypes(
  document: SourceDocument,
  served: readonly { readonly operationKey: OperationKey; readonly outcome: Outcome }[],
  file: string,
): Promise<TypeOutcome> {
  const checks = new TypeChecks();
  const all = served.map(({ operationKey }) => operationKey);
  try {
    await writeFile(file, writeJson(onlyOperations(document, all)));
    const contract = await loadContract(pathToFileURL(file));
    for (const { operationKey, outcome } of served) {
      const name = `${sentMethod(operationKey)} ${operationKey.path}`;
      const { id } = operationOf(contract, operationKey);
      if (outcome.received !== undefined) checks.addRequest(name, id, outcome.received);
      for (const { name: what, response, isValid } of outcome.responses) {
        checks.addResponse(`${name}: ${what}`, id, response, isValid);
      }
    }
    return { contradictions: checks.contradictions(await contractTypes(contract)), compiled: checks.size };
  } catch (error) {
    return { contradictions: [`no types: ${messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 400)}`], compiled: 0 };
  }
}

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { MessageDirection } from '../../bodies/message-parts.ts';
import type { Operation } from '../../document/read-contract.ts';
import type { UncompilableOperations } from '../uncompilable-operations.ts';
import type { ValidationDocument } from './validation-document.ts';

/**
 * Compiles the operations of a contract with Ajv, which is what compiles schemas in
 * express-openapi-validator, and adds those that do not compile.
 * @param served the operations, in the order of the document.
 */
export function addUncompilable(
  { operations, components }: ValidationDocument,
  served: readonly Operation[],
  found: UncompilableOperations,
): void {
  // The options that express-openapi-validator gives it. Code that finds all errors is simpler.
  const ajv = new Ajv2020({
    strict: false,
    strictTuples: true,
    validateSchema: false,
    validateFormats: false,
    logger: false,
    allErrors: true,
  });
  for (const schema of components) ajv.addSchema(schema);
  for (const [index, operation] of served.entries()) {
    const messages = operations[index];
    if (messages === undefined || found.isKnown(operation)) continue;
    try {
      for (const direction of ['request', 'response'] satisfies MessageDirection[]) ajv.compile(messages[direction]);
    } catch (error) {
      found.add(operation, error);
    }
  }
}

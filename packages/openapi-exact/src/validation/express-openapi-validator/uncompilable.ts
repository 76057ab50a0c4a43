import { Ajv2020 } from 'ajv/dist/2020.js';
import type { MessageDirection } from '../../bodies/message-parts.ts';
import type { ValidationDocument } from './validation-document.ts';

/**
 * The errors of the operations that do not compile, by index. Asks Ajv, which is what compiles
 * schemas in express-openapi-validator, for all operations of a contract at once.
 */
export function uncompilableOperations({ operations, components }: ValidationDocument): ReadonlyMap<number, unknown> {
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
  const errors = new Map<number, unknown>();
  for (const [index, messages] of operations.entries()) {
    for (const direction of ['request', 'response'] satisfies MessageDirection[]) {
      try {
        ajv.compile(messages[direction]);
      } catch (error) {
        errors.set(index, error);
      }
    }
  }
  return errors;
}

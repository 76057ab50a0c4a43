import type { Operation } from '../document/read-contract.ts';
import { Refused } from '../errors/diagnostic.ts';
import { messageOf } from '../errors/errors.ts';
import type { Validation } from './validation.ts';
import type { Message, MessageDirection } from '../bodies/message-parts.ts';

/** The schemas of the messages of one operation. */
export class OperationSchemas {
  readonly operation: Operation;
  readonly validation: Validation;

  /** @param operation with a schema for each part of a multipart body. */
  constructor(validation: Validation, operation: Operation) {
    this.validation = validation;
    this.operation = operation;
  }

  /** Whether messages can be checked. */
  get areCompiled(): boolean {
    return this.validation.validator.isCompiled(this.operation);
  }

  /** @throws Refused at the operation when express-openapi-validator cannot compile them. */
  async compile(): Promise<void> {
    try {
      await this.validation.validator.compile(this.operation);
    } catch (cause) {
      throw uncompilable(this.operation, cause);
    }
  }

  /** Checks a message, as {@link ContractValidator.check} does. The schemas are compiled. */
  check(direction: MessageDirection, message: Message): void {
    this.validation.validator.check(this.operation, direction, message);
  }
}

/** The refusal of an operation that the validator cannot compile. */
export function uncompilable({ id, definition }: Operation, cause: unknown): Refused {
  const [what, wayOut] =
    cause instanceof RangeError
      ? ['its schemas refer to each other in too long a chain or circle', 'Shorten it, or leave a part undescribed']
      : [messageOf(cause), 'Say it in other words'];
  const reason = `express-openapi-validator cannot serve ${id}: ${what}. ${wayOut}.`;
  return new Refused([{ node: definition, key: 'operationId', reason }], { cause });
}

import { isLosslessNumber } from 'lossless-json';
import type { Contract, Operation } from '../document/read-contract.ts';
import { MOST_FAULTS } from '../errors/errors.ts';
import type { MismatchError } from '../errors/response-error.ts';
import { ContractValidator, type Message } from './contract-validator.ts';

/** The largest message of which more than one fault is searched. */
const MOST_EXPLAINED_VALUES = 200;
const MOST_CHARACTERS = 5_000;

/**
 * Finds the faults of a request beside the first one. It compiles the schemas a second time, for a
 * validator that does not end at the first fault: only small messages are worth that work, and it
 * asserts no patterns, whose time a `maxLength` may bound.
 */
export class Explainer {
  readonly #operation: Operation;
  readonly #validator: ContractValidator;

  constructor(contract: Contract, operation: Operation) {
    this.#operation = operation;
    this.#validator = new ContractValidator(contract, [operation], true);
  }

  /** @param first the fault that was found. @returns it, and the others at other places. */
  async faults(message: Message, first: MismatchError): Promise<readonly MismatchError[]> {
    const faults = [first];
    for (const fault of isSmall(message) ? await this.#allFaults(message) : []) {
      if (faults.length === MOST_FAULTS) break;
      if (!faults.some((known) => isWithin(known.place, fault.place) || isWithin(fault.place, known.place))) {
        faults.push(fault);
      }
    }
    return faults;
  }

  async #allFaults(message: Message): Promise<Iterable<MismatchError>> {
    await this.#validator.compile(this.#operation);
    return this.#validator.mismatches(this.#operation, 'request', message);
  }
}

function isWithin(place: string, outer: string): boolean {
  return place === outer || place.startsWith(`${outer}/`);
}

/** Looks at no more of a message than a small one has. */
function isSmall(message: Message): boolean {
  let [values, characters] = [0, 0];
  const pending: unknown[] = [message.parts];
  for (const value of pending) {
    values += 1;
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null && !isLosslessNumber(value)) {
      const entries = Object.entries(value);
      if (pending.length + entries.length > MOST_EXPLAINED_VALUES) return false;
      for (const [key, child] of entries) {
        characters += key.length;
        pending.push(child);
      }
    }
    if (values > MOST_EXPLAINED_VALUES || characters > MOST_CHARACTERS) return false;
  }
  return true;
}

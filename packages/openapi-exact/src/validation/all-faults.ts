import { isLosslessNumber } from 'lossless-json';
import { MOST_FAULTS } from '../errors/errors.ts';
import type { Fault } from '../errors/limits.ts';
import type { Message } from '../bodies/message-parts.ts';
import type { OperationSchemas } from './operation-schemas.ts';

/** The largest message in which more than one fault is searched. */
const MOST_EXPLAINED_VALUES = 200;
const MOST_CHARACTERS = 5_000;

/**
 * The faults of a request at different places. Only small messages are worth a search for more than
 * the first one.
 * @param first the fault that was found. @returns it, and the others.
 */
export async function allFaults(
  { validation, operation }: OperationSchemas,
  message: Message,
  first: Fault,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [first];
  if (!isSmall(message)) return faults;
  for (const fault of await validation.faultSearch.faultsIn(operation, message)) {
    if (faults.length === MOST_FAULTS) break;
    if (!faults.some((known) => isWithin(known.place, fault.place) || isWithin(fault.place, known.place))) {
      faults.push(fault);
    }
  }
  return faults;
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

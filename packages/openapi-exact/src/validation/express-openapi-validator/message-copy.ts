import { ofKeys } from '../../errors/messages.ts';
import { MismatchError } from '../../errors/response-error.ts';
import { withoutMarks } from './property-keys.ts';
import { markRepeated } from './repeated-items.ts';
import { deepestFault, type Fault } from './faults.ts';
import type { Formats } from './formats.ts';
import type { MessageDirection } from '../../bodies/message-parts.ts';
import type { ValidationDocument } from './validation-document.ts';

/** What the schemas of a message ask of its copy. */
export interface MessageTraits {
  /** Whether the schemas ask for items that differ. */
  readonly isAskedForDistinctItems: boolean;
  /** Whether one value may be evaluated many times. */
  readonly isAmbiguous: boolean;
}

/** Judges a copy of a message, in which doubles stand for numbers that they do not hold. */
export function onCopy<T>(
  { numbers, formats }: Pick<ValidationDocument, 'numbers' | 'formats'>,
  parts: Readonly<Record<string, unknown>>,
  { isAskedForDistinctItems, isAmbiguous }: MessageTraits,
  judge: (copy: unknown) => T,
): T {
  try {
    const copy = numbers.message(parts, isAmbiguous);
    formats.evaluations.begin(numbers.size);
    if (isAskedForDistinctItems) markRepeated(copy);
    return judge(copy);
  } finally {
    numbers.release();
    formats.evaluations.end();
  }
}

/** The mismatch that the faults of one place make. */
export function mismatchOf(formats: Formats, faults: readonly Fault[], direction: MessageDirection): MismatchError {
  const { place, requirement, isOfKeys } = deepestFault(faults);
  const words = formats.describeMismatch(requirement, direction);
  return new MismatchError(withoutMarks(place), withoutMarks(isOfKeys ? ofKeys(words) : words));
}

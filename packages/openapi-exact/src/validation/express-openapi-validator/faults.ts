import { ofKeys } from '../../errors/messages.ts';
import { MismatchError } from '../../errors/invalid-response-error.ts';
import type { MessageDirection } from '../../bodies/message-parts.ts';
import type { Formats } from './formats.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { EVALUATED, propertyName, withoutMarks } from './property-keys.ts';

/** A fault of a message, as express-openapi-validator describes it. */
export interface Fault {
  readonly path: string;
  readonly message?: string;
  /** Begins with the keyword. */
  readonly errorCode?: string;
}

/** The error with which the validator refuses a message. */
interface Verdict extends Error {
  readonly errors: readonly Fault[];
}

/** True for an error with which the validator refuses a message. */
export function isVerdict(error: Error): error is Verdict {
  return 'status' in error && error.status === 500 && 'errors' in error;
}

/**
 * Keywords whose alternatives a value need not all fit: a fault below them may be of another
 * alternative.
 */
const CHOICE_KEYWORDS = /^(?:oneOf|anyOf|contains|not|propertyNames)\./;

/** The faults of each place; those below a choice that fails are one. */
export function faultsByPlace(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const choices = new Set(
    faults.filter(({ errorCode = '' }) => CHOICE_KEYWORDS.test(errorCode)).map(({ path }) => path),
  );
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    // A condition that fails tells no more than the faults of what it asks for.
    if (fault.errorCode?.startsWith('if.') === true && faults.length > 1) continue;
    getOrInsert(groups, outermost(fault.path, choices), () => []).push(fault);
  }
  return [...groups.values()];
}

/** The first of some places that leads to a place; the place itself without one. */
function outermost(place: string, choices: ReadonlySet<string>): string {
  for (let end = place.indexOf('/'); end !== -1; end = place.indexOf('/', end + 1)) {
    const outer = place.slice(0, end);
    if (choices.has(outer)) return outer;
  }
  return place;
}

/** Keywords about names: their faults may be those of an alternative that is not meant. */
const NAMES = /^(?:required|additionalProperties|unevaluatedProperties)\./;

/** What is wrong with a message. */
interface Deepest {
  readonly place: string;
  readonly requirement: string;
  /** The validator's keyword that is not met. */
  readonly keyword: string;
  /** Whether it is required of the keys of the object at the place. */
  readonly isOfKeys: boolean;
}

/**
 * The place and the requirement of the error that went furthest into the message; of several, one
 * of a value rather than of a name.
 */
export function deepestFault(errors: readonly Fault[]): Deepest {
  let [furthest, deepest]: [string[], Fault?] = [[]];
  const ofValues = errors.filter(({ errorCode = '' }) => !NAMES.test(errorCode));
  const ofNames = errors.filter(({ errorCode = '' }) => NAMES.test(errorCode));
  for (const fault of [...ofValues, ...ofNames]) {
    const { path } = fault;
    // A remembered verdict says nothing that its first evaluation has not said.
    if (path.endsWith(`/${EVALUATED}`)) continue;
    const tokens = path.split('/');
    if (tokens.length > furthest.length) [furthest, deepest] = [tokens, fault];
  }
  // The validator tells first what a key lacks, then that it is a key.
  const laterFaults = deepest === undefined ? [] : errors.slice(errors.indexOf(deepest) + 1);
  const isOfKeys = laterFaults.some(
    ({ path, errorCode = '' }) => path === deepest?.path && errorCode.startsWith('propertyNames.'),
  );
  // The first token is the validator's own: a message is a part of its response.
  const place = furthest.slice(2).map((token) => `/${token}`);
  const { message: requirement = 'is not as the contract describes it', errorCode = 'type' } = deepest ?? {};
  const [keyword = errorCode] = errorCode.split('.');
  return { place: place.join(''), requirement, keyword, isOfKeys };
}

/** The mismatch that the faults of one place make. */
export function mismatchOf(formats: Formats, faults: readonly Fault[], direction: MessageDirection): MismatchError {
  const { place, requirement, keyword, isOfKeys } = deepestFault(faults);
  const words = formats.describeMismatch(requirement, direction);
  const namedPlace = place.split('/').map(propertyName).join('/');
  return new MismatchError(namedPlace, withoutMarks(isOfKeys ? ofKeys(words) : words), {
    keyword: isOfKeys ? 'propertyNames' : formats.keywordOf(requirement, keyword, direction),
  });
}

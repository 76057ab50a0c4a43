import type { Fault } from '../../errors/limits.ts';
import type { Message, MessageDirection } from '../../bodies/message-parts.ts';
import { valueAt } from '../../json/json-pointer.ts';
import type { ValidatorFormats } from './validator-formats.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { EVALUATED, propertyName } from './property-keys.ts';

/** A fault of a message, as express-openapi-validator describes it. */
export interface ValidatorFault {
  readonly path: string;
  readonly message?: string;
  /** Begins with the keyword. */
  readonly errorCode?: string;
}

/** The error with which the validator refuses a message. */
interface Verdict extends Error {
  readonly errors: readonly ValidatorFault[];
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
export function faultsByPlace(faults: readonly ValidatorFault[]): readonly (readonly ValidatorFault[])[] {
  const choices = new Set(
    faults.filter(({ errorCode = '' }) => CHOICE_KEYWORDS.test(errorCode)).map(({ path }) => path),
  );
  const groups = new Map<string, ValidatorFault[]>();
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
  readonly message: string;
  /** The validator's keyword that is not met. */
  readonly keyword: string;
  /** Whether it is required of the keys of the object at the place. */
  readonly isOfKeys: boolean;
}

/**
 * The place and the message of the error that went furthest into the message; of several, one
 * of a value rather than of a name.
 */
export function deepestFault(errors: readonly ValidatorFault[]): Deepest {
  let [furthest, deepest]: [string[], ValidatorFault?] = [[]];
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
  const { message = '', errorCode = 'type' } = deepest ?? {};
  const [keyword = errorCode] = errorCode.split('.');
  return { place: place.join(''), message, keyword, isOfKeys };
}

/**
 * The one fault of the contract that the validator's faults of one place make.
 * @param parts the message that was checked.
 */
export function faultOf(
  formats: ValidatorFormats,
  faults: readonly ValidatorFault[],
  direction: MessageDirection,
  parts: Message['parts'],
): Fault {
  const { place: keyedPlace, message, keyword: own, isOfKeys } = deepestFault(faults);
  const place = keyedPlace.split('/').map(propertyName).join('/');
  const { keyword, limits } = formats.readMessage(message, own, direction, () => valueAt(parts, place));
  return isOfKeys ? { place, keyword: 'propertyNames', limits: { keys: limits } } : { place, keyword, limits };
}

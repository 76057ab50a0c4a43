import { RequestError, type Reason } from '../errors/errors.ts';
import { requirementOf, type Fault } from '../errors/limits.ts';
import { faultSentence, shownKeys } from '../errors/messages.ts';
import type { RefuseJson } from '../json/parse-json.ts';

/** Closes the connection instead of reading the rest of the body. */
export const CLOSE = { Connection: 'close' };

/**
 * The refusal of a value in a body.
 * @param fault its place is a JSON pointer, such as `/notes/0/id`; '' for the body itself.
 */
export function refuseBody({ place, keyword, limits }: Fault, given?: unknown): RequestError {
  const subject = (shown: string): string => (shown === '' ? 'The request body' : `The request body's /${shown}`);
  const keys = place === '' ? '' : shownKeys(place.slice(1));
  return refuseBodyAt(place, keyword, 'invalidBody', faultSentence(subject, keys, limits, given));
}

/** The refusal of a body for one fault, with a message of its own. */
export function refuseBodyAt(pointer: string, keyword: string, reason: Reason, message: string): RequestError {
  return new RequestError(reason, message, { faults: [{ in: 'body', pointer, keyword, message }] });
}

/** The refusal of a text that is not of its media type. @param pointer to it in the body. */
export function malformedBody(message: string, pointer = ''): RequestError {
  return refuseBodyAt(pointer, 'contentMediaType', 'malformedBody', message);
}

/** The refusals of JSON. @param what its name in messages. @param pointer to it in the body. */
export function refuseJson(what: string, pointer = ''): RefuseJson {
  return (reason, limits) => {
    const message = `${what} ${requirementOf(limits)}.`;
    return reason === 'malformedBody'
      ? malformedBody(message, pointer)
      : refuseBodyAt(pointer, 'type', reason, message);
  };
}

/** The refusal of a body, or a part of one, that is too large. */
export function tooLarge(message: string): RequestError {
  return new RequestError('bodyTooLarge', message, { headers: CLOSE });
}

/** The refusal of a body that has more bytes. */
export function bodyTooLarge(most: number): RequestError {
  return tooLarge(`The request body must not be larger than ${most} bytes.`);
}

/** The refusal of a body that has fewer bytes. */
export function bodyTooSmall(least: number): RequestError {
  return refuseBody({ place: '', keyword: 'minLength', limits: { smallest: least } });
}

/** The refusal of a body's type, charset or coding, with the types that are taken. */
export function unsupported(message: string, accept: Readonly<Record<string, string>>): RequestError {
  return new RequestError('unsupportedMediaType', message, { headers: { ...CLOSE, ...accept } });
}

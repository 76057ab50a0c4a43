import { RequestError } from '../errors/errors.ts';
import { faultOf } from '../errors/messages.ts';
import type { RefuseJson } from '../json/parse-json.ts';

/** Closes the connection instead of reading the rest of the body. */
export const CLOSE = { Connection: 'close' };

/** The refusal of a value in a body. @param place its keys, such as `notes/0/id`. */
export function refuseBody(place: string, requirement: string, given?: unknown): RequestError {
  const subject = (keys: string): string => (keys === '' ? 'The request body' : `The request body's /${keys}`);
  return new RequestError('invalidBody', faultOf(subject, place, requirement, given));
}

/** The refusals of JSON. @param what the text, as messages name it. */
export function refuseJson(what: string): RefuseJson {
  return (reason, requirement) => new RequestError(reason, `The JSON of ${what} ${requirement}.`);
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
  return new RequestError('invalidBody', `The request body must not be smaller than ${least} bytes.`);
}

/** The refusal of a body's type, charset or coding, with the types that are taken. */
export function unsupported(message: string, accept: Readonly<Record<string, string>>): RequestError {
  return new RequestError('unsupportedMediaType', message, { headers: { ...CLOSE, ...accept } });
}

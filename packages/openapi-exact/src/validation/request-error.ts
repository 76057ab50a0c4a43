import type { RequestError } from '../errors.ts';
import { refuseBody } from '../bodies/receive.ts';
import { GROUPS, refuseParameter } from '../parameters/locations.ts';

/**
 * The refusal of a value of a request, in the contract's terms.
 * @param place a JSON pointer into the request as it is validated: the first token is the group of
 * parameters or the body.
 * @param what what the value must be; follows its name.
 */
export function requestError(place: string, what: string, cause?: unknown): RequestError {
  const [, group = '', ...names] = place.split('/');
  const name = names.join('/');
  if (!isGroup(group)) return refuseBody(name, what, cause);
  return refuseParameter(GROUPS[group], name.replaceAll('~1', '/').replaceAll('~0', '~'), what, cause);
}

function isGroup(name: string): name is keyof typeof GROUPS {
  return Object.hasOwn(GROUPS, name);
}

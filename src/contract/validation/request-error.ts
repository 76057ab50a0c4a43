import { RequestError } from '../../errors.ts';

const GROUP_NAMES: Readonly<Record<string, string>> = {
  params: 'Path parameter',
  query: 'Query parameter',
  headers: 'Header',
  cookies: 'Cookie',
};

/**
 * The refusal of a value of a request, in the contract's terms.
 * @param place a JSON pointer into the request as it is validated: the first token is the group of
 * parameters or the body.
 * @param what what the value must be; follows its name.
 */
export function requestError(place: string, what: string, cause?: unknown): RequestError {
  const [, group = '', ...names] = place.split('/');
  const groupName = GROUP_NAMES[group];
  if (groupName !== undefined) {
    const name = names.join('/').replaceAll('~1', '/').replaceAll('~0', '~');
    return new RequestError('invalidParameter', `${groupName} '${name}' ${what}.`, { cause });
  }
  const at = names.length === 0 ? '' : `'s /${names.join('/')}`;
  return new RequestError('invalidBody', `The request body${at} ${what}.`, { cause });
}

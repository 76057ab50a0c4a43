import type { RequestHandler } from 'express';
import { RequestError } from './errors.ts';

/** Headers that change what a request means; Node takes the first of several without a word. */
const SINGLE = new Set(['host', 'authorization']);

/**
 * Refuses requests that two readers could understand differently: a repeated Host (RFC 9112, section 3.2) or Authorization
 * header, a target with a fragment (RFC 9112, section 3.2.1). The absolute form of a target becomes its path (section 3.2.2).
 */
export const requireUnambiguous: RequestHandler = (request, _response, next) => {
  const { rawHeaders } = request;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first keeps the common request free of lower-casing.
    if (name.length !== 4 && name.length !== 13) continue;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.has(lower)) {
      throw new RequestError('repeatedHeader', `The header ${lower} was sent more than once: send it once.`);
    }
    seen.add(lower);
  }
  if (request.url.includes('#')) {
    throw new RequestError('malformedUrl', "The URL holds a '#': leave the fragment out, or encode it as %23.");
  }
  if (!request.url.startsWith('/') && URL.canParse(request.url)) {
    const { pathname, search } = new URL(request.url);
    request.url = pathname + search;
  }
  next();
};

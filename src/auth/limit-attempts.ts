import type { IncomingMessage } from 'node:http';
import type { Authenticator, Principal } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { fixedWindow, type Count } from './fixed-window.ts';
import { networkOf } from './network.ts';

/** How often in a minute; 0: any number of times. */
export interface AttemptLimits {
  /** Failed authentications from one address. */
  readonly authFailuresPerMinute: number;
  /** Requests with one token. */
  readonly tokenRequestsPerMinute: number;
}

/** Milliseconds. */
const WINDOW = 60_000;

/**
 * Makes authenticators answer 429 (RFC 6585, section 4) in place of 401 to an address with too many failures, and in place of success to a
 * token with too many requests; all that one limit was put around count together. A valid token is accepted from any address: others may
 * share it with an attacker. What counts is how the whole request ends, whichever of its credentials were tried.
 * @param addressOf the address of the client, behind the proxies that are believed.
 */
export function limitAttempts(
  { authFailuresPerMinute, tokenRequestsPerMinute }: AttemptLimits,
  addressOf: (request: IncomingMessage) => string,
): (authenticate: Authenticator) => Authenticator {
  const failures = counter(authFailuresPerMinute);
  const requests = counter(tokenRequestsPerMinute);
  function accept(principal: Principal | undefined): Principal | undefined {
    if (requests !== undefined && principal !== undefined) {
      count(requests, principal.name, 'tooManyRequests', 'This access token has been used too often.');
    }
    return principal;
  }

  function noteFailure(request: IncomingMessage, error: unknown): void {
    if (failures === undefined || !(error instanceof RequestError) || error.status !== 401) return;
    // What a proxy has written that is no address counts as the proxy itself.
    const network = networkOf(addressOf(request)) ?? request.socket.remoteAddress ?? '';
    count(failures, network, 'tooManyFailures', 'Too many authentications have failed from this address.');
  }

  return (authenticate) => async (request) => {
    let principal: Principal | undefined;
    try {
      principal = await authenticate(request);
    } catch (error) {
      noteFailure(request, error);
      throw error;
    }
    return accept(principal);
  };
}

function counter(limit: number): Count | undefined {
  return limit === 0 ? undefined : fixedWindow(limit, WINDOW);
}

function count(counted: Count, key: string, reason: 'tooManyFailures' | 'tooManyRequests', message: string): void {
  const wait = counted(key);
  if (wait === 0) return;
  throw new RequestError(reason, `${message} Repeat the request after the seconds in Retry-After.`, {
    headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },
  });
}

import type { IncomingMessage } from 'node:http';
import type { Authenticator, Principal } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { fixedWindow, type FixedWindow } from './fixed-window.ts';
import { networkOf } from '../http/client-network.ts';

/** How often in a minute; 0: any number of times. */
export interface AttemptLimits {
  /** Failed authentications from one address. */
  readonly authFailuresPerMinute: number;
  /** Requests with one token. */
  readonly tokenRequestsPerMinute: number;
}

/** Milliseconds. */
const WINDOW = 60_000;

/** Limits on the attempts of addresses and tokens. */
export interface AttemptLimiter {
  /** Makes an authenticator keep to the limits; all that one limiter guards count together. */
  readonly guard: (authenticate: Authenticator) => Authenticator;
  /**
   * To be asked before a credential is looked up that may not be good.
   * @throws RequestError 429 when the address of the request has no failure left.
   */
  readonly requireFailureLeft: (request: IncomingMessage) => void;
}

/**
 * Answers 429 (RFC 6585, section 4) in place of 401 to an address with too many failures, and in place of success to a
 * token with too many requests. A token that is known to be valid is accepted from any address: others may share it
 * with an attacker. What counts is how the whole request ends, whichever of its credentials were tried.
 * @param addressOf the address of the client, behind the proxies that are believed.
 */
export function limitAttempts(
  { authFailuresPerMinute, tokenRequestsPerMinute }: AttemptLimits,
  addressOf: (request: IncomingMessage) => string,
): AttemptLimiter {
  const failures = windowOf(authFailuresPerMinute);
  const requests = windowOf(tokenRequestsPerMinute);
  // What a proxy has written that is no address counts as the proxy itself.
  const clientOf = (request: IncomingMessage): string =>
    networkOf(addressOf(request)) ?? request.socket.remoteAddress ?? '';

  function accept(principal: Principal | undefined): Principal | undefined {
    if (requests !== undefined && principal !== undefined) {
      requireNoWait(requests.count(principal.name), 'tooManyRequests', 'This access token has been used too often.');
    }
    return principal;
  }

  function noteFailure(request: IncomingMessage, error: unknown): void {
    if (failures === undefined || !(error instanceof RequestError) || error.status !== 401) return;
    requireNoWait(failures.count(clientOf(request)), ...TOO_MANY_FAILURES);
  }

  return {
    guard: (authenticate) => async (request) => {
      let principal: Principal | undefined;
      try {
        principal = await authenticate(request);
      } catch (error) {
        noteFailure(request, error);
        throw error;
      }
      return accept(principal);
    },
    requireFailureLeft: (request) => {
      if (failures !== undefined) requireNoWait(failures.wait(clientOf(request)), ...TOO_MANY_FAILURES);
    },
  };
}

const TOO_MANY_FAILURES = ['tooManyFailures', 'Too many authentications have failed from this address.'] as const;

function windowOf(limit: number): FixedWindow | undefined {
  return limit === 0 ? undefined : fixedWindow(limit, WINDOW);
}

/** Refusals by their texts and seconds: there are few, and a flood should not cost one for each request. */
const refusals = new Map<string, RequestError>();

/** @param wait milliseconds. */
function requireNoWait(wait: number, reason: 'tooManyFailures' | 'tooManyRequests', message: string): void {
  if (wait === 0) return;
  const seconds = String(Math.ceil(wait / 1000));
  const key = `${reason} ${seconds}`;
  let refusal = refusals.get(key);
  if (refusal === undefined) {
    const headers = { 'Retry-After': seconds };
    refusal = new RequestError(reason, `${message} Repeat the request after the seconds in Retry-After.`, { headers });
    refusals.set(key, refusal);
  }
  throw refusal;
}

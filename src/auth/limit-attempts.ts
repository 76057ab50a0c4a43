import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { networkOf } from './network.ts';

/** How often in a minute; 0: any number of times. */
export interface AttemptLimits {
  /** Failed authentications from one address. */
  readonly authFailuresPerMinute: number;
  /** Requests with one token. */
  readonly tokenRequestsPerMinute: number;
}

/** Seconds. */
const WINDOW = 60;

/**
 * A verifier that answers 429 (RFC 6585, section 4) in place of 401 to an address with too many failures, and in place of success to a token
 * with too many requests. A valid token is accepted from any address: others may share it with an attacker.
 * @param addressOf the address of the client, behind the proxies that are believed.
 */
export function limitAttempts(
  verify: Verifier,
  { authFailuresPerMinute, tokenRequestsPerMinute }: AttemptLimits,
  addressOf: (request: Parameters<Verifier>[0]) => string,
): Verifier {
  const failures = limiter(authFailuresPerMinute);
  const requests = limiter(tokenRequestsPerMinute);
  return async (request, scopes) => {
    try {
      const principal = await verify(request, scopes);
      if (requests !== undefined) {
        await take(requests, principal.name, 'tooManyRequests', 'This access token has been used too often.');
      }
      return principal;
    } catch (error) {
      if (failures !== undefined && error instanceof RequestError && error.status === 401) {
        // What a proxy has written that is no address counts as the proxy itself.
        const network = networkOf(addressOf(request)) ?? request.socket.remoteAddress ?? '';
        await take(failures, network, 'tooManyFailures', 'Too many authentications have failed from this address.');
      }
      throw error;
    }
  };
}

function limiter(points: number): RateLimiterMemory | undefined {
  return points === 0 ? undefined : new RateLimiterMemory({ points, duration: WINDOW });
}

async function take(
  from: RateLimiterMemory,
  key: string,
  reason: 'tooManyFailures' | 'tooManyRequests',
  message: string,
): Promise<void> {
  try {
    await from.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
    throw new RequestError(reason, `${message} Repeat the request after the seconds in Retry-After.`, {
      headers: { 'Retry-After': seconds },
    });
  }
}

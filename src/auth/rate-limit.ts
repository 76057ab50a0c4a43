import type { IncomingMessage } from 'node:http';
import type { Guard, Principal, RequestError } from 'openapi-exact';
import { ServiceError } from '../errors.ts';
import { FixedWindow } from './fixed-window.ts';
import { networkOf } from '../http/client-network.ts';

/** Limits per minute; 0 removes a limit. */
export interface AttemptLimits {
  /** Failed authentications from one address. */
  readonly authFailuresPerMinute: number;
  /** Requests with one token. */
  readonly tokenRequestsPerMinute: number;
}

/** The time in which attempts are counted, in milliseconds. */
const WINDOW = 60_000;

/**
 * Responds 429 (RFC 6585, section 4) to an address with too many failures and to a token with too
 * many requests. A token known to be valid is accepted from any address, since clients may share
 * one with an attacker. The outcome of the whole request counts, not of each credential.
 */
export class AttemptLimiter implements Guard {
  readonly #failures: FixedWindow | undefined;
  readonly #requests: FixedWindow | undefined;
  readonly #addressOf: (request: IncomingMessage) => string;

  /** @param addressOf returns the client's address, behind trusted proxies. */
  constructor(limits: AttemptLimits, addressOf: (request: IncomingMessage) => string) {
    this.#failures = windowOf(limits.authFailuresPerMinute);
    this.#requests = windowOf(limits.tokenRequestsPerMinute);
    this.#addressOf = addressOf;
  }

  accept({ name }: Principal): void {
    if (this.#requests === undefined) return;
    requireNoWait(this.#requests.count(name), 'tooManyRequests', 'This access token has been used too often.');
  }

  refuse(request: IncomingMessage, { status }: RequestError): void {
    if (this.#failures === undefined || status !== 401) return;
    requireNoWait(this.#failures.count(this.#clientOf(request)), ...TOO_MANY_FAILURES);
  }

  /**
   * Must be called before the look-up of a credential that is not known to be valid.
   * @throws RequestError 429 when the address has too many failures.
   */
  requireFailureLeft(request: IncomingMessage): void {
    if (this.#failures !== undefined) requireNoWait(this.#failures.wait(this.#clientOf(request)), ...TOO_MANY_FAILURES);
  }

  /** A forwarded value that is not an address counts as the proxy itself. */
  #clientOf(request: IncomingMessage): string {
    return networkOf(this.#addressOf(request)) ?? request.socket.remoteAddress ?? '';
  }
}

const TOO_MANY_FAILURES = ['tooManyFailures', 'Too many authentications have failed from this address.'] as const;

function windowOf(limit: number): FixedWindow | undefined {
  return limit === 0 ? undefined : new FixedWindow(limit, WINDOW);
}

/** Cached refusals by text and wait, so that a flood does not create one per request. */
const refusals = new Map<string, ServiceError>();

/** @param wait in milliseconds. */
function requireNoWait(wait: number, reason: 'tooManyFailures' | 'tooManyRequests', message: string): void {
  if (wait === 0) return;
  const seconds = String(Math.ceil(wait / 1000));
  const key = `${reason} ${seconds}`;
  let refusal = refusals.get(key);
  if (refusal === undefined) {
    const headers = { 'Retry-After': seconds };
    refusal = new ServiceError(reason, `${message} Repeat the request after the seconds in Retry-After.`, { headers });
    refusals.set(key, refusal);
  }
  throw refusal;
}

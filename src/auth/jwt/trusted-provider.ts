import type { Logger } from 'pino';
import { OutageReports } from '../../outage-reports.ts';
import type { VerifyBearer } from '../bearer.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { JwtVerifier } from './jwt-verifier.ts';
import { KEY_TIMES, ProviderKeys } from './provider-keys.ts';

/** An identity provider whose tokens are accepted. */
export interface TrustedProvider {
  /** Verifies the provider's access tokens. */
  readonly verifyJwt: VerifyBearer;
  /** Stops fetching its keys. */
  readonly close: () => void;
}

/**
 * Starts fetching the provider's keys, and logs the reason of an outage at once and then once a
 * minute. The start does not wait for the keys.
 */
export function trustProvider(provider: IdentityProvider, log: Logger, times = KEY_TIMES): TrustedProvider {
  const { issuer } = provider;
  const reports = new OutageReports();
  const onAttempt = (err: unknown): void => {
    if (err === undefined) {
      reports.noteSuccess();
      log.info({ issuer }, 'identity provider keys fetched');
    } else if (reports.noteFailure()) log.warn({ err, issuer }, 'identity provider keys unavailable');
  };
  const keys = new ProviderKeys(provider, onAttempt, times);
  const onRefused = (reason: string): void => {
    log.debug({ reason }, 'a JWT was refused');
  };
  const verifier = new JwtVerifier(provider, keys, onRefused);
  return {
    verifyJwt: verifier.verify.bind(verifier),
    close: () => {
      keys.close();
    },
  };
}

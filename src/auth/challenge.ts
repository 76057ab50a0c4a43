import { challenge } from '../contract/security/challenge.ts';

/** The protection space of the service's tokens (RFC 9110, section 11.5). */
export const REALM = 'plant-store';

/** The challenge of RFC 6750, section 3, with these parameters. */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  return challenge('Bearer', { realm: REALM, ...parameters });
}

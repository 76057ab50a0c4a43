import type { Verifiers } from 'openapi-exact';
import type { securitySchemes } from './generated/openapi.d.ts';

/** Names by token, and by API key. A real service stores hashes of them. */
const TOKENS = new Map([['secret-token', 'the gardener']]);
const KEYS = new Map([['secret-key', 'the sprinkler']]);

/** A verifier for each security scheme; undefined means 401. */
export const verifiers: Verifiers<securitySchemes> = {
  bearerAuth: async (token) => principal(TOKENS.get(token)),
  apiKey: async (key) => principal(KEYS.get(key)),
};

function principal(name: string | undefined): { readonly name: string } | undefined {
  return name === undefined ? undefined : { name };
}

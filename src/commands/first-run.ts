import { createToken, hashToken } from '../auth/token.ts';
import type { Sample } from '../stores/sample.ts';

/** A dozen plants, two of them with ids that a JavaScript number cannot hold. */
const SAMPLE_PLANTS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 9007199254740993n, 9223372036854775807n];

/** What a new store holds when nobody asked for anything else, and the token that opens it. */
export function firstRun(): Sample & { readonly token: string } {
  const token = createToken();
  return { plants: SAMPLE_PLANTS, tokenName: 'first-run', tokenHash: hashToken(token), token };
}

/** What a newcomer sees: where the service is, one command to paste that deletes a plant, and where to try it in a browser. */
export function welcome(url: string, token: string, docs: boolean): string {
  const edge = '─'.repeat(72);
  // No frame at the sides: the command can be selected as it is.
  return [
    edge,
    `The plant store is at ${url}`,
    '',
    'A new database was made, with a dozen plants and one token, shown only now.',
    'Paste this to delete a plant (204), and once more to see that it is gone (404):',
    '',
    `curl -i -X DELETE -H 'Authorization: Bearer ${token}' ${quote(`${url}/plants/9007199254740993`)}`,
    ...(docs ? ['', `Or try it in a browser, with that token: ${url}/docs`] : []),
    edge,
  ].join('\n');
}

/** Brackets, as around an IPv6 address, are a pattern to some shells. */
function quote(url: string): string {
  return url.includes('[') ? `'${url}'` : url;
}

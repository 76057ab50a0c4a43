import type { ApiKeyLocation, SecuritySchemeShape } from './shape.ts';

/** A credential of a request: its place and its text. */
export interface PlacedCredential {
  readonly in: ApiKeyLocation;
  readonly name: string;
  readonly text: string;
}

/**
 * Places credentials other than bearer tokens: API keys, Basic, and texts of other schemes. A call
 * that needs it imports it, so that what the client has anyway is an argument.
 * @param fieldValue matches what a header can have.
 * @throws TypeError for credentials that cannot be sent. Messages do not repeat them.
 */
export function placedCredential(
  value: unknown,
  name: string,
  scheme: SecuritySchemeShape,
  fieldValue: RegExp,
): PlacedCredential {
  if ('in' in scheme) return { ...scheme, text: apiKey(value, name, scheme.in, fieldValue) };
  const text = scheme.scheme === 'Basic' ? basicText(value, name) : schemeText(value, name, scheme.scheme, fieldValue);
  return { in: 'header', name: 'Authorization', text: `${scheme.scheme} ${text}` };
}

/** The text behind the name of an authentication scheme. */
function schemeText(value: unknown, name: string, scheme: string, fieldValue: RegExp): string {
  if (typeof value === 'string' && value !== '' && fieldValue.test(value)) return value;
  throw new TypeError(
    `credentials.${name} must be the text behind '${scheme}', in Latin-1 without control characters.`,
  );
}

/** The characters of an API key by location: those that the service reads as they were sent. */
const API_KEYS: Readonly<Record<ApiKeyLocation, { readonly pattern?: RegExp; readonly rule: string }>> = {
  header: { rule: 'Latin-1 without control characters and outer spaces' },
  query: { pattern: /^\P{Cs}*$/u, rule: 'text without half of a surrogate pair' },
  cookie: { pattern: /^[!-:<-~]*$/, rule: "ASCII without spaces and ';'" },
};

function apiKey(value: unknown, name: string, location: ApiKeyLocation, fieldValue: RegExp): string {
  const { pattern = fieldValue, rule } = API_KEYS[location];
  if (typeof value === 'string' && value !== '' && pattern.test(value)) return value;
  throw new TypeError(`credentials.${name} must be an API key for a ${location}: ${rule}, not empty.`);
}

/** A user name and a password in UTF-8 (RFC 7617, section 2.1). */
function basicText(value: unknown, name: string): string {
  const { username, password } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof username === 'string' && typeof password === 'string') {
    const text = `${username}:${password}`;
    // Neither part may have control characters, and a colon ends the user name.
    if (!username.includes(':') && !/\p{Cc}|\p{Cs}/u.test(text))
      return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  }
  throw new TypeError(
    `credentials.${name} must be { username, password } without control characters, and without ':' in the user name.`,
  );
}

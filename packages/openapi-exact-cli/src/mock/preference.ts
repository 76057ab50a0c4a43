import { RequestError } from 'openapi-exact';

/** Which response a client wants of a mock. */
export interface Preference {
  readonly status?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Whether the body is generated also where the contract has an example. */
  readonly isDynamic: boolean;
}

/** Without the header. */
export const NO_PREFERENCE: Preference = { isDynamic: false };

/**
 * Reads the header Prefer (RFC 7240): `code=404`, `example=name`, `dynamic=true`. Other preferences
 * are ignored, as the RFC asks for.
 * @throws RequestError for a code that is not the status of a response.
 */
export function preferenceOf(header: string): Preference {
  const given = new Map<string, string>();
  for (const preference of header.split(/[,;]/)) {
    const [name = '', ...value] = preference.split('=');
    const key = name.trim().toLowerCase();
    // The first one of a name counts (section 2).
    if (!given.has(key)) given.set(key, unquoted(value.join('=').trim()));
  }
  const [code, example] = [given.get('code'), given.get('example')];
  if (code !== undefined && !/^[2-5]\d\d$/.test(code)) {
    const message = `Prefer: code=${code} is not the status of a response: give one from 200 to 599.`;
    throw new RequestError('no-such-response', message, { status: 400 });
  }
  return {
    ...(code !== undefined && { status: Number(code) }),
    ...(example !== undefined && { example }),
    isDynamic: given.get('dynamic') === 'true',
  };
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

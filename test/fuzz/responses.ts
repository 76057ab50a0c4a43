/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** True when the body was left out although its length was announced, as in an answer to HEAD. */
  readonly isBodiless: boolean;
}

/** What the bytes of a connection held. */
export interface Responses {
  readonly responses: readonly RawResponse[];
  /** The bytes after the last complete response: a truncated one, or ''. */
  readonly rest: string;
  /** What is wrong with them; undefined when they are well-formed. */
  readonly problem: string | undefined;
}

/** RFC 9112, section 4; our server answers in HTTP/1.1 alone. */
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [A-Za-z' -]+$/;
/** RFC 9112, section 5, without what RFC 9110 deprecates. */
const FIELD = /^([\w!#$%&'*+.^`|~-]+): ([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)$/;
/** Headers that may not come twice. */
const SINGLE = ['content-length', 'content-type', 'date', 'connection', 'x-request-id'];

/** Parses responses strictly (RFC 9112). A body needs Content-Length and begins with a brace. */
export function parseResponses(bytes: Buffer): Responses {
  const responses: RawResponse[] = [];
  let rest = bytes.toString('latin1');
  const broken = (problem: string): Responses => ({ responses, rest, problem });
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { responses, rest, problem: undefined };
    const [statusLine = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) return broken(`this is no status line: ${statusLine}`);
    const headers = new Map<string, string>();
    for (const field of fields) {
      const [, name = '', value = ''] = FIELD.exec(field) ?? [];
      if (name === '') return broken(`this is no header: ${field}`);
      if (headers.has(name.toLowerCase()) && SINGLE.includes(name.toLowerCase()))
        return broken(`${name} is there twice`);
      headers.set(name.toLowerCase(), value);
    }
    const length = lengthOf(status, headers);
    if (typeof length === 'string') return broken(length);
    const behind = rest.slice(end + 4);
    const isBodiless = length > 0 && !behind.startsWith('{');
    // Either what comes next is another response, or nothing comes.
    if (isBodiless && !behind.startsWith('HTTP/'.slice(0, behind.length))) {
      return broken('the body is no JSON object');
    }
    const size = isBodiless ? 0 : length;
    if (behind.length < size) return { responses, rest, problem: undefined };
    responses.push({ status, headers, body: Buffer.from(behind.slice(0, size), 'latin1').toString(), isBodiless });
    rest = behind.slice(size);
  }
}

/** The length of a body, or what is wrong with how it is announced (RFC 9112, section 6.3). */
function lengthOf(status: number, headers: ReadonlyMap<string, string>): number | string {
  if (headers.has('transfer-encoding')) return 'a response came in chunks';
  const length = headers.get('content-length');
  if (status === 204 || status < 200) return length === undefined ? 0 : `${status} has a Content-Length`;
  if (length === undefined) return `${status} has no Content-Length`;
  return /^[1-9]\d*$/.test(length) ? Number(length) : `Content-Length is ${length}`;
}

/**
 * Headers that announce a body, correctly or not, and the body. {C} stands for the content, {L} for
 * its length and {X} for that in hexadecimal; {L+5} is five more.
 */
export interface Framing {
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether no reading of RFC 9112, section 6, takes a part of the body for a request. */
  readonly isEnclosed: boolean;
}

/** A body as it is written. */
export interface Framed {
  readonly headers: readonly string[];
  readonly body: string;
}

const CHUNKED = 'Transfer-Encoding: chunked';
const LENGTH = 'Content-Length: {L}';
/** With a byte more, because a chunk of nothing is the last one. */
const CHUNK = '{X+1}\r\n{C} \r\n';
const LAST = '0\r\n\r\n';

const ENCLOSED: readonly (readonly [headers: readonly string[], body: string])[] = [
  [[LENGTH], '{C}'],
  [['Content-Length: 0'], ''],
  [[CHUNKED], LAST],
  [[CHUNKED], CHUNK + LAST],
  [[CHUNKED], '{X+1};x="y"\r\n{C} \r\n0\r\nX-Trailer: a\r\n\r\n'],
  [[LENGTH, LENGTH], '{C}'],
  [[CHUNKED, 'Content-Length: {L+10}'], CHUNK + LAST],
  [['Content-Encoding: gzip', LENGTH], '{C}'],
];

/** As those write them who want two servers to see different requests. */
const OPEN: readonly (readonly [headers: readonly string[], body: string])[] = [
  [['Content-Length: 0'], '{C}'],
  [['Content-Length: {L-3}'], '{C}'],
  [['Content-Length: {L+1000}'], '{C}'],
  [['Content-Length: 18446744073709551616'], '{C}'],
  [['Content-Length: {L}, {L}'], '{C}'],
  [['Content-Length: +{L}'], '{C}'],
  [['Content-Length: -1'], '{C}'],
  [['Content-Length: 0x10'], '{C}'],
  [['Content-Length:'], '{C}'],
  [[LENGTH, 'Content-Length: 0'], '{C}'],
  [[CHUNKED, 'Content-Length: 0'], '{C}'],
  [['Content-Length: 4', CHUNKED], `${LAST}{C}`],
  [[CHUNKED], '{C}'],
  [[CHUNKED], `${LAST}{C}`],
  [[CHUNKED], 'ffffffffffffffff1\r\n{C}\r\n'],
  [[CHUNKED], `-1\r\n{C}\r\n${LAST}`],
  [[CHUNKED], '{X+1}\n{C} \n0\n\n'],
  [[CHUNKED], `${CHUNK}0\r\n{C}`],
  [['Transfer-Encoding: gzip, chunked'], CHUNK + LAST],
  [['Transfer-Encoding: chunked, chunked'], CHUNK + LAST],
  [['Transfer-Encoding: chunked, identity'], '{C}'],
  [['Transfer-Encoding: identity', 'Content-Length: 1'], '{C}'],
  [['Transfer-Encoding: xchunked'], '{C}'],
  [['Transfer-Encoding:\tchunked'], CHUNK + LAST],
  [['Transfer-Encoding : chunked'], CHUNK + LAST],
  [['X: y\nTransfer-Encoding: chunked'], CHUNK + LAST],
];

/** As clients write bodies, and as attackers do. */
export const FRAMINGS: readonly Framing[] = [
  ...ENCLOSED.map(([headers, body]) => ({ headers, body, isEnclosed: true })),
  ...OPEN.map(([headers, body]) => ({ headers, body, isEnclosed: false })),
];

/** Writes a content of Latin-1 characters into a framing. */
export function frame({ headers, body }: Framing, content: string): Framed {
  const fill = (text: string): string =>
    text.replaceAll(/\{([LXC])([+-]\d+)?\}/g, (_, name: string, more = '0') => {
      if (name === 'C') return content;
      return Math.max(0, content.length + Number(more)).toString(name === 'X' ? 16 : 10);
    });
  return { headers: headers.map(fill), body: fill(body) };
}

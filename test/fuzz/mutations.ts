import fc from 'fast-check';

/** A change to some bytes. Positions and lengths are parts of ten thousand of what there is. */
export interface Mutation {
  readonly kind: 'flip' | 'overwrite' | 'delete' | 'duplicate' | 'move' | 'insert' | 'truncate';
  readonly at: number;
  readonly to: number;
  readonly length: number;
  /** What is inserted or written over; of a flip, the bit. */
  readonly bytes: Buffer;
}

/** What parsers trip over. */
const TOKENS = [
  '\r\n|\r\n\r\n|\n|\r| |\t|\0|:|,|;|%|%00|%0d%0a|%2e%2e%2f|?|#|/|\\|HTTP/1.1| HTTP/1.1\r\n|DELETE /plants/',
  'Host: plants\r\n|Connection: close\r\n|Content-Length: 1\r\n|Transfer-Encoding: chunked\r\n|Upgrade: h2c\r\n',
  'Expect: 100-continue\r\n|Authorization: |Bearer |0\r\n\r\n|-|+|0|9223372036854775807|-9223372036854775808',
  '18446744073709551615|1e9|0x|\xff|\xc0\xaf|\xef\xbb\xbf|\x16\x03\x01|PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'X-Request-Id: \xff\r\n|traceparent: 00-x\r\n|X-Forwarded-For: ::1, x\r\n|Accept: x\r\n|If-Match: *\r\n|TE: trailers\r\n',
  `__proto__|'|"|<|\u00a0|${'x'.repeat(9_000)}|${'X: y\r\n'.repeat(120)}`,
].flatMap((texts) => texts.split('|').map((text) => Buffer.from(text, 'latin1')));

const PARTS = 10_000;
const part = fc.nat(PARTS);
const oneByte = fc.nat(255).map((byte) => Buffer.of(byte));

/** Mutations that leave most of a request as it was. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('flip', 'flip', 'overwrite', 'delete', 'duplicate', 'move', 'insert', 'insert', 'truncate'),
  at: part,
  to: part,
  // Short ones are more telling: a request that lost its half is simply none.
  length: fc.oneof(fc.nat(100), part),
  bytes: fc.oneof(fc.constantFrom(...TOKENS), oneByte),
});

export function mutate(bytes: Buffer, { kind, at, to, length, bytes: given }: Mutation): Buffer {
  const from = Math.floor((at / PARTS) * bytes.length);
  const end = Math.min(bytes.length, from + 1 + Math.floor((length / PARTS) * bytes.length));
  const [before, piece, behind] = [bytes.subarray(0, from), bytes.subarray(from, end), bytes.subarray(end)];
  switch (kind) {
    case 'flip': {
      const changed = Buffer.from(bytes);
      if (from < changed.length) changed[from] = (changed[from] ?? 0) ^ (1 << ((given[0] ?? 0) % 8));
      return changed;
    }
    case 'overwrite':
      return Buffer.concat([before, given, bytes.subarray(Math.min(bytes.length, from + given.length))]);
    case 'delete':
      return Buffer.concat([before, behind]);
    case 'duplicate':
      return Buffer.concat([before, piece, piece, behind]);
    case 'move': {
      const rest = Buffer.concat([before, behind]);
      const there = Math.floor((to / PARTS) * rest.length);
      return Buffer.concat([rest.subarray(0, there), piece, rest.subarray(there)]);
    }
    case 'insert':
      return Buffer.concat([before, given, bytes.subarray(from)]);
    case 'truncate':
      return before;
  }
}

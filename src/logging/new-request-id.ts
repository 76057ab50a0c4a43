import { randomFillSync } from 'node:crypto';

/** Characters of an id: 128 random bits. */
const LENGTH = 32;

/** Random bytes that are made at a time: a call for each id would cost more than the id. */
const POOL = Buffer.alloc(4_096);

let digits = '';
let used = 0;

/** A new id of a request: 32 random hexadecimal digits, as a trace id of W3C Trace Context has. */
export function newRequestId(): string {
  if (used === digits.length) {
    digits = randomFillSync(POOL).toString('hex');
    used = 0;
  }
  used += LENGTH;
  return digits.slice(used - LENGTH, used);
}

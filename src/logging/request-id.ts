import { randomFillSync } from 'node:crypto';

/** Bytes of an id. */
const SIZE = 16;
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

/**
 * Draws a random request id from a pool of random bytes. One call of the system's generator fills
 * the pool for 256 ids, since each call is expensive.
 * @returns 128 random bits as hexadecimal digits.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString('hex', used, (used += SIZE));
}

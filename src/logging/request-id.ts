import { randomFillSync } from 'node:crypto';

/** Bytes of an id. */
const SIZE = 16;
const pool = Buffer.alloc(256 * SIZE);
let used = pool.length;

/**
 * Draws random request ids from a pool that is filled for 256 at once: one call of the system's
 * generator costs as much as a tenth of a request.
 * @returns 128 random bits as hexadecimal digits.
 */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString('hex', used, (used += SIZE));
}

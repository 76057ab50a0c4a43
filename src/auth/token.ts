import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'plant_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^27 > 2^160: a place for each of 160 random bits. */
const RANDOM_LENGTH = 27;
/** 62^6 > 2^32: a place for each bit of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new access token: `plant_`, 160 random bits and a CRC-32 of what stands before it, in base62. */
export function createToken(): string {
  const random = PREFIX + base62(BigInt(`0x${randomBytes(20).toString('hex')}`), RANDOM_LENGTH);
  return random + checksum(random);
}

/** True when a text has the form of a token and its checksum holds: a mistyped token needs no look-up. */
export function isWellFormedToken(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/**
 * What the database holds of a token: SHA-256 in hexadecimal. A fast hash is enough, since there are 160 bits to guess.
 */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}

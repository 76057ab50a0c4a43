import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'plant_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^27 > 2^160: a place for each of 160 random bits. */
const RANDOM_LENGTH = 27;
/** 62^6 > 2^32: a place for each bit of a CRC-32. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** A token, or a part of one too long for a name, also behind a mistyped prefix. */
const LIKENESS = new RegExp(`${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH / 3}}`, 'i');

/** A new access token: `plant_`, 160 random bits and a CRC-32 of what stands before it, in base62. */
export function createToken(): string {
  const random = PREFIX + base62(BigInt(`0x${randomBytes(20).toString('hex')}`), RANDOM_LENGTH);
  return random + base62(BigInt(crc32(random)), CHECKSUM_LENGTH);
}

/** True when a text has the form of a token and its checksum holds: a mistyped token needs no look-up. */
export function isWellFormedToken(text: string): boolean {
  return FORM.test(text) && number(text.slice(-CHECKSUM_LENGTH)) === crc32(text.slice(0, -CHECKSUM_LENGTH));
}

/** True for a text that has a token in it, whole or in part, so that it must not be logged. */
export function holdsToken(text: string): boolean {
  return LIKENESS.test(text);
}

/**
 * What the database holds of a token: SHA-256 in hexadecimal. A fast hash is enough, since there are 160 bits to guess.
 */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The number that base62 digits stand for; exact up to 8 of them. */
function number(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 62 + ALPHABET.indexOf(digit);
  return value;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}

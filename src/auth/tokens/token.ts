import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'plant_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^27 > 2^160: enough digits for 160 random bits. */
const RANDOM_LENGTH = 27;
/** 62^6 > 2^32: enough digits for a CRC-32. */
const CHECKSUM_LENGTH = 6;
const TOKEN_FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** A token, or a part of one too long for a name, also behind a mistyped prefix. */
const LIKENESS = new RegExp(`${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH / 3}}`, 'i');

/** A new access token: `plant_`, 160 random bits and a CRC-32 of the text so far, in base62. */
export function createToken(): string {
  const random = PREFIX + base62(BigInt(`0x${randomBytes(20).toString('hex')}`), RANDOM_LENGTH);
  return random + base62(BigInt(crc32(random)), CHECKSUM_LENGTH);
}

/** True if a text has a token's form and a valid checksum: a typo then costs no look-up. */
export function isWellFormedToken(text: string): boolean {
  return TOKEN_FORMAT.test(text) && number(text.slice(-CHECKSUM_LENGTH)) === crc32(text.slice(0, -CHECKSUM_LENGTH));
}

/** True if a text contains a token or a recognisable part of one, and must not be logged. */
export function holdsToken(text: string): boolean {
  return LIKENESS.test(text);
}

/**
 * The SHA-256 that the database stores, in hexadecimal. A fast hash suffices: 160 random bits
 * cannot be guessed.
 */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The value of base62 digits; exact for up to 8 digits. */
function number(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 62 + ALPHABET.indexOf(digit);
  return value;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let remaining = value; text.length < length; remaining /= 62n)
    text = ALPHABET.charAt(Number(remaining % 62n)) + text;
  return text;
}

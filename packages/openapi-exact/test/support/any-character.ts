import fc from 'fast-check';

/**
 * Any character that UTF-8 can encode. `unit: 'binary'` of fast-check would make a table of all of
 * them first, which takes seconds.
 */
export const anyCharacter = fc
  .nat(0x10ffff)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint));

import { domainToUnicode } from 'node:url';

/** Characters that IDNA forbids in labels, although Unicode's rules allow them (RFC 5892, 2.6). */
const DISALLOWED = /[\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B]/;

/** Characters that are valid beside certain others only (RFC 5892, appendix A.3 to A.9). */
const CONTEXTS: readonly (readonly [character: RegExp, right: RegExp])[] = [
  [/\u00B7/g, /(?<=l)\u00B7(?=l)/g],
  [/\u0375/g, /\u0375(?=\p{Script=Greek})/gu],
  [/[\u05F3\u05F4]/g, /(?<=\p{Script=Hebrew})[\u05F3\u05F4]/gu],
];
const KATAKANA_DOT = /\u30FB/;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const ARABIC_DIGIT = /[\u0660-\u0669]/;
const EXTENDED_ARABIC_DIGIT = /[\u06F0-\u06F9]/;

/**
 * True for a label in lower case that begins with `xn--` and encodes a label of IDNA (RFC 5891,
 * section 4.2), and for any other label.
 */
export function isIdnaLabel(label: string): boolean {
  if (!label.startsWith('xn--')) return true;
  // Empty for invalid Punycode, and for a character that Unicode does not allow there (UTS 46).
  const decoded = domainToUnicode(label);
  return (
    decoded !== '' &&
    decoded !== label &&
    decoded.slice(2, 4) !== '--' &&
    !DISALLOWED.test(decoded) &&
    CONTEXTS.every(([character, right]) => countOf(decoded, character) === countOf(decoded, right)) &&
    (!KATAKANA_DOT.test(decoded) || JAPANESE.test(decoded.replaceAll('\u30FB', ''))) &&
    !(ARABIC_DIGIT.test(decoded) && EXTENDED_ARABIC_DIGIT.test(decoded))
  );
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

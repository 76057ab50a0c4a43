/**
 * Escapes every character that is not printed as itself: control and format characters, lone surrogates, line
 * separators. Text from a file cannot steer a terminal then.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

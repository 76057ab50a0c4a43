const PRINTABLE = /^[\x20-\x7e]*$/;

/** A text without characters that are invisible, up to a length in characters. */
export function shortened(text: string, most: number): string {
  if (text.length <= most && PRINTABLE.test(text)) return text;
  // More than so many code units are more than so many characters, and need not be counted.
  const characters = Array.from(text.slice(0, most * 2 + 1));
  const cut = characters.length <= most ? characters : [...characters.slice(0, most - 1), '…'];
  return cut.join('').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\uFFFD');
}

/** The longest text of a value that a message shows, in characters. */
export const MOST_SHOWN = 60;

/** The longest name that a message shows, in characters. */
export const MOST_OF_NAME = 200;

/** A name that a client has chosen, in quotes. */
export function quoted(name: string): string {
  return `'${shortened(name, MOST_OF_NAME)}'`;
}

import { isIP } from 'node:net';

/** An environment variable that the program reads. */
export interface Setting<T> {
  /** Its name. */
  readonly variable: string;
  /** The value of an unset variable. */
  readonly default: string;
  /** The default to show, if `default` is not clear. */
  readonly shownDefault?: string;
  /** Its purpose, in Markdown. */
  readonly meaning: string;
  /** The valid values, to follow "must be". */
  readonly expected: string;
  /** Its value; undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  /** True if the text may contain a password, which messages must not repeat. */
  readonly isConfidential?: true;
  /** Another variable, without which this one has no effect. */
  readonly requires?: string;
}

/** The values of a table of settings, by the same names. */
export type Settings<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
};

/**
 * Reads all settings of a table from the environment.
 * @param problems receives one text for each invalid setting.
 * @returns the values; undefined for an invalid one.
 */
export function readSettings<Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Settings<Table> {
  const values = Object.entries(table).map(([name, setting]) => {
    const { variable, default: preset, expected, parse, isConfidential, requires } = setting;
    const text = environment[variable] ?? preset;
    const value = parse(text);
    if (requires !== undefined && text !== '' && text !== preset && (environment[requires] ?? '') === '') {
      problems.push(`${variable} needs ${requires}`);
    } else if (value === undefined) {
      problems.push(`${variable} must be ${expected}${isConfidential ? '' : `, not '${text}'`}`);
    }
    return [name, value];
  });
  // Each name has the value of its own `parse`; the caller throws if there are problems.
  return Object.fromEntries(values) as Settings<Table>;
}

/** A whole number within bounds. */
export function wholeNumber(from: number, to: number): Pick<Setting<number>, 'expected' | 'parse'> {
  return {
    expected: `a number from ${from} to ${to}`,
    parse: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to ? Number(text) : undefined),
  };
}

/** One of these words. */
export function oneOf<Word extends string>(words: readonly Word[]): Pick<Setting<Word>, 'expected' | 'parse'> {
  return { expected: `one of ${words.join(', ')}`, parse: (text) => words.find((word) => word === text) };
}

/** On or off; null where it is not set. */
export const ON_OR_OFF: Pick<Setting<boolean | null>, 'default' | 'expected' | 'parse'> = {
  default: '',
  expected: 'on or off',
  parse: (text) => (text === '' ? null : text === 'on' || (text === 'off' ? false : undefined)),
};

/** An address or host name to listen on. */
export const HOST: Pick<Setting<string>, 'default' | 'expected' | 'parse'> = {
  default: '127.0.0.1',
  expected: 'an address or a name such as 127.0.0.1, without a port',
  parse: (text) => (isIP(text) !== 0 || /^[\w.-]+$/.test(text) ? text : undefined),
};

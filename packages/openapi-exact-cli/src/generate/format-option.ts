import { ConfigurationError, formatCodecs, type Codecs, type GeneratedFormats } from 'openapi-exact/contract';

/** The type of a format's values, as `--format NAME=TYPE:MODULE` says it. */
export interface FormatOption {
  /** The format, such as `date-time`. */
  readonly name: string;
  /** The type of its values; undefined for a format whose places alone are generated. */
  readonly type?: string | undefined;
  /** The module that the type is imported from, as the generated file imports it. */
  readonly module?: string | undefined;
}

const EXAMPLES = 'such as date-time=Date, decimal=Decimal:decimal.js, or iban for a format without a type of its own';

/**
 * Reads the text of a `--format`.
 * @throws ConfigurationError for a text that is none.
 * @example formatOption('decimal=Decimal:decimal.js');
 */
export function formatOption(text: string): FormatOption {
  const [, name = '', given] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '' || given === '') throw new ConfigurationError(`--format must be NAME=TYPE:MODULE, ${EXAMPLES}.`);
  if (given === undefined) return { name };
  const [, imported, module] = /^([\p{ID_Start}$_][\p{ID_Continue}$.]*):(.+)$/su.exec(given) ?? [];
  return imported === undefined ? { name, type: given } : { name, type: imported, module };
}

/** A format as an argument of the command. */
export function formatArgument({ name, type, module }: FormatOption): string {
  const text = name + (type === undefined ? '' : `=${type}`) + (module === undefined ? '' : `:${module}`);
  return ` --format ${/^[\w.:=@/$-]+$/.test(text) ? text : `'${text}'`}`;
}

/** The formats in the table for clients. */
export function generatedFormats(options: readonly FormatOption[]): GeneratedFormats {
  return Object.fromEntries(options.map(({ name, type = null }) => [name, type]));
}

/** The codecs of all formats, which the table for clients has. */
export function tableCodecs(options: readonly FormatOption[]): Codecs {
  return formatCodecs(options.map(({ name }) => name));
}

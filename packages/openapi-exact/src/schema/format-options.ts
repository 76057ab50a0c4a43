import { didYouMean } from '../errors/nearest.ts';
import type { AnyFormats } from './codec.ts';
import type { Schema } from './openapi-document.ts';

/**
 * The formats for which types were generated: the type of each, or null for a format whose places
 * are known without a type of its own.
 */
export type GeneratedFormats = Readonly<Record<string, string | null>>;

const FUNCTIONS = ['validate', 'decode', 'encode'];

/** A sentence that says what is wrong with the option `formats`; undefined if it is sound. */
export function formatsMistake(formats: object): string | undefined {
  const isSound = (format: unknown): boolean => {
    if (typeof format !== 'object' || format === null) return format === undefined;
    const given = Object.entries(format).filter(([, value]) => value !== undefined);
    const names = given.map(([key]) => key);
    const areKnown = given.every(([key, value]) => FUNCTIONS.includes(key) && typeof value === 'function');
    return areKnown && names.length > 0 && names.includes('decode') === names.includes('encode');
  };
  const wrong = Object.entries(formats).find(([, format]) => !isSound(format));
  return wrong && `The format '${wrong[0]}' must have validate, or decode and encode, or all.`;
}

/**
 * Where the option `formats` and the generated files disagree, as a sentence; undefined if they
 * agree. Types that were generated for another option would contradict the values.
 * @param generated the formats of `shapes`. @param needsPlaces whether all of them are required.
 */
export function formatsDisagreement(
  formats: AnyFormats,
  generated: GeneratedFormats = {},
  needsPlaces?: boolean,
): string | undefined {
  const decodes = (name: string): boolean => formats[name]?.decode !== undefined;
  const [undecoded] = Object.entries(generated).filter(([name, type]) => type !== null && !decodes(name));
  if (undecoded !== undefined) {
    const [name, type] = undecoded;
    return `The option 'formats' must decode and encode '${name}': its types were generated with --format ${name}=${type}.`;
  }
  const isGenerated = (name: string): boolean =>
    decodes(name) ? typeof generated[name] === 'string' : needsPlaces !== true || !formats[name] || name in generated;
  const name = Object.keys(formats).find((given) => !isGenerated(given));
  if (name === undefined) return undefined;
  const known = Object.keys(generated).join(', ');
  const others = known === '' ? '' : `, or name one of ${known}`;
  return `The option 'formats' has '${name}': run openapi-exact generate with --format ${name}${decodes(name) ? '=TYPE' : ''}${others}.`;
}

/**
 * A sentence that says which of some formats no schema of a contract has; undefined for none.
 * @param from its subject and verb. @param schemas of the contract.
 */
export function unknownFormat(from: string, names: readonly string[], schemas: readonly Schema[]): string | undefined {
  const known = [...new Set(schemas.map(({ format }) => format).filter((format) => format !== undefined))];
  const name = names.find((given) => !known.includes(given));
  if (name === undefined) return undefined;
  const question = didYouMean(name, known);
  const list = known.length === 0 ? ' They have none.' : ` They have ${known.toSorted().join(', ')}.`;
  return `${from} '${name}', a format that no schema of the contract has.${question === '' ? list : question}`;
}

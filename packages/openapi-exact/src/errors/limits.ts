import { stringify } from 'lossless-json';
import { MOST_SHOWN, shortened } from './shortened.ts';

/** What is wrong with a part of a message, as data: {@link requirementOf} has the words for it. */
export interface Fault {
  /** A JSON pointer to the part. */
  readonly place: string;
  /** The keyword of the contract that is not met. */
  readonly keyword: string;
  /** What the part must be. */
  readonly limits: Limits;
}

/** Requirements that always have the same words. */
const RULES = {
  alternative: 'must match an alternative of the contract',
  ambiguity: 'must not be nested so deeply in alternatives that only its inner parts tell apart',
  boolean: 'must be true or false',
  brackets: 'must have keys in brackets',
  condition: 'must match what the contract requires beside its other parts',
  constant: 'must be the constant that the contract names',
  contained: 'must contain an item that the contract asks for',
  depth: 'must not contain itself, or be nested too deeply',
  described: 'is not as the contract describes it',
  distinct: 'must not have equal items',
  excluded: 'must not match what the contract excludes',
  exclusive: 'must match one alternative of the contract, and no other',
  forbidden: 'is not allowed',
  furtherItems: 'must not have further items',
  given: 'must be given',
  keysOrValue: 'must have either one value or keys in brackets',
  listed: 'must be a value that the contract lists',
  listText: 'must have no comma in an item, and no empty one: the list would have others',
  notNull: 'must not be null: leave it out',
  null: 'must be null',
  numbered: 'must number its items, as in [0]',
  numberedFromZero: 'must number its items from 0 without gaps',
  once: 'must be given once',
  prototypePart: 'must not have a part __proto__',
  prototypeProperty: 'must not have a property __proto__',
  readOnly: 'is read-only',
  representable: 'must be a number whose digits a double keeps, or an int64 where the contract says so',
  style: 'must be written in the style of the contract',
  text: 'must be a text',
  textLength: 'must not have a text that is too long for its pattern or format',
  undeclared: 'is not in the contract: leave it out',
  value: 'must have a value, or be left out',
  writeOnly: 'is write-only',
} as const;

/** What a number must be, with the bounds that count. */
export interface NumberLimits {
  /** A `bigint` is one for handlers, and an integer for clients. */
  readonly number: 'bigint' | 'integer' | 'number';
  readonly least?: number | bigint | undefined;
  readonly most?: number | bigint | undefined;
  readonly above?: number | bigint | undefined;
  readonly below?: number | bigint | undefined;
  readonly multipleOf?: number | bigint | undefined;
  readonly example?: number | bigint | undefined;
}

/** The types that a value may have. */
interface TypeLimits {
  readonly types: readonly string[];
  /** What a number among them is: an int64 of a handler, or a number that a double must hold. */
  readonly numbers?: 'bigint' | 'double';
}

/** One of several requirements. */
export interface OneOfLimits {
  readonly oneOf: readonly Limits[];
  /** Whether no other one may be met. */
  readonly isExclusive?: boolean;
  /** Whether the text that was given is a number but for its leading zeros. */
  readonly hasLeadingZeros?: boolean;
}

/** What a part of a message must be. */
export type Limits =
  | keyof typeof RULES
  | NumberLimits
  | TypeLimits
  /** One of several values; a client reads the first ones. */
  | { readonly values: readonly unknown[] }
  | OneOfLimits
  | { readonly format: string }
  | { readonly pattern: string }
  /** A number of characters, items or properties. */
  | { readonly fewest: string; readonly of: string }
  | { readonly greatest: string; readonly of: string }
  /** The length of a key, in characters. */
  | { readonly shortest: unknown; readonly longest: unknown }
  /** The size of a body, in bytes. */
  | { readonly smallest: number }
  /** The levels that values, or the keys of a name, are nested in. */
  | { readonly deepest: number }
  /** The length of the text of a number, in characters. */
  | { readonly longestNumber: number }
  /** The position of a syntax error in JSON. */
  | { readonly json: string }
  /** The property beside which another one is required. */
  | { readonly beside: string }
  /** The positions of two items. */
  | { readonly equal: readonly [string, string] }
  /** What each key of an object must be. */
  | { readonly keys: Limits }
  /** A requirement that is known by its words only. */
  | { readonly words: string };

/** Who reads a requirement: the client of a request, or the author of a handler. */
export type Audience = 'client' | 'handler';

/** The words for the limits of schemas. */
const KNOWN = { client: new WeakMap<object, string>(), handler: new WeakMap<object, string>() };

/** What a part must be, in words that follow the name of its place in a message. */
export function requirementOf(limits: Limits, audience: Audience = 'client'): string {
  if (typeof limits === 'string') return RULES[limits];
  // Others are short, and made for one message.
  if (!('number' in limits || 'values' in limits || 'oneOf' in limits)) return wordsFor(limits, audience);
  const known = KNOWN[audience].get(limits);
  if (known !== undefined) return known;
  const words = wordsFor(limits, audience);
  KNOWN[audience].set(limits, words);
  return words;
}

/** The same limits, where a number must be of a kind. */
export function withNumbers(limits: Limits, numbers: NonNullable<TypeLimits['numbers']>): Limits {
  return typeof limits === 'object' && 'types' in limits ? { ...limits, numbers } : limits;
}

function wordsFor(limits: Exclude<Limits, string>, audience: Audience): string {
  if ('number' in limits) return numberWords(limits, audience);
  if ('types' in limits) return `must be ${limits.types.map((type) => typeWords(type, limits.numbers)).join(' or ')}`;
  if ('values' in limits) return oneOfValues(limits.values);
  if ('oneOf' in limits) {
    const others = limits.isExclusive === true ? ', and no other' : '';
    const hint = limits.hasLeadingZeros === true && audience === 'client' ? ', without leading zeros' : '';
    return oneRequirement(limits.oneOf.map((alternative) => requirementOf(alternative, audience))) + others + hint;
  }
  if ('format' in limits) return `must match format "${limits.format}"`;
  if ('pattern' in limits) return `must match pattern "${limits.pattern}"`;
  if ('fewest' in limits) return `must have at least ${counted(limits.fewest, limits.of)}`;
  if ('greatest' in limits) return `must have at most ${counted(limits.greatest, limits.of)}`;
  if ('shortest' in limits) {
    return `must have a length between ${String(limits.shortest)} and ${String(limits.longest)} characters`;
  }
  if ('smallest' in limits) return `must not be smaller than ${limits.smallest} bytes`;
  if ('deepest' in limits) return `must not be nested deeper than ${limits.deepest}`;
  if ('longestNumber' in limits) return `must not have a number of more than ${limits.longestNumber} characters`;
  if ('json' in limits) return `must be well-formed JSON, each key once (RFC 8259): see ${limits.json}`;
  if ('beside' in limits) return `must be given beside ${limits.beside}`;
  if ('equal' in limits) return `must not have equal items, as ${limits.equal.join(' and ')}`;
  return 'keys' in limits ? keyWords(requirementOf(limits.keys, audience)) : limits.words;
}

function numberWords({ number, multipleOf, example, ...bounds }: NumberLimits, audience: Audience): string {
  const isBigint = number === 'bigint' && audience === 'handler';
  const what = isBigint ? 'a bigint' : number === 'number' ? 'a decimal number' : 'a decimal integer';
  const multiple = multipleOf === undefined ? '' : `and a multiple of ${multipleOf}`;
  const parts = [`must be ${what}`, rangeWords(bounds), multiple].filter((part) => part !== '');
  const suffix = isBigint ? 'n' : '';
  return `${parts.join(' ')}${example === undefined ? '' : `, such as ${example}${suffix}`}`;
}

function rangeWords({ least, most, above, below }: Omit<NumberLimits, 'number'>): string {
  if (least !== undefined && most !== undefined && above === undefined && below === undefined) {
    return `between ${least} and ${most}`;
  }
  const lower = above === undefined ? boundWords('of at least', least) : `above ${above}`;
  const upper = below === undefined ? boundWords('of at most', most) : `below ${below}`;
  return [lower, upper].filter((bound) => bound !== '').join(' and ');
}

function boundWords(words: string, bound: number | bigint | undefined): string {
  return bound === undefined ? '' : `${words} ${bound}`;
}

const ARTICLES: Readonly<Record<string, string>> = { array: 'an array', object: 'an object', null: 'null' };
const NUMBERS = { bigint: 'a bigint such as 12n', double: 'a number that a double holds' } as const;

function typeWords(type: string, numbers: TypeLimits['numbers']): string {
  if (type === 'number' && numbers !== undefined) return NUMBERS[numbers];
  return ARTICLES[type] ?? `a ${type}`;
}

/** A number of characters, items or properties. */
function counted(limit: string, what: string): string {
  return limit === '1' ? `1 ${what.replace(/ies$/, 'y').replace(/s$/, '')}` : `${limit} ${what}`;
}

/** The requirement of an object whose keys each have to meet one. */
function keyWords(requirement: string): string {
  const [, words] = /^must (.*)$/s.exec(requirement) ?? [];
  if (words === undefined) return 'must not have keys that the contract excludes';
  return `must have only keys that ${words.replace(/^be\b/, 'are').replace(/^not\b/, 'do not')}`;
}

/** At most so many values of an enum are listed. */
const MOST_LISTED_VALUES = 20;

/** Null and texts are as JSON writes them. */
function oneOfValues(values: readonly unknown[]): string {
  const texts = values
    .slice(0, MOST_LISTED_VALUES)
    .map((value) =>
      shortened(typeof value === 'string' && value !== '' ? value : (stringify(value) ?? ''), MOST_SHOWN),
    );
  const omitted = values.length > MOST_LISTED_VALUES ? [`or ${values.length - MOST_LISTED_VALUES} others`] : [];
  return values.length === 1 ? `must be ${texts.join('')}` : `must be one of ${[...texts, ...omitted].join(', ')}`;
}

/** The most requirements that a message names. */
const MOST_REQUIREMENTS = 5;

/** The requirement that one of several is met. */
function oneRequirement(requirements: readonly string[]): string {
  const distinct = [...new Set(requirements)];
  const omitted = distinct.length - MOST_REQUIREMENTS;
  const named = distinct.slice(0, MOST_REQUIREMENTS).join(' or ');
  return omitted > 0 ? `${named}, or meet one of ${omitted} other requirements` : named;
}

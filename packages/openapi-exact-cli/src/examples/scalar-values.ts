import fc from 'fast-check';
import { arrayOf, isNumber, type Json, type JsonObject } from './json-value.ts';

const INTEGERS = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1, 1 - 2 ** 53];
const INT64S = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, 1n - 2n ** 63n, -(2n ** 63n)];
/** In binary fractions, 0.29 and 1.15 times 100 are not integers. */
const FRACTIONS = [0.5, 0.29, 1.15, -1.5, 1e10];

/**
 * Values at and around each boundary of a scalar schema, valid and invalid ones, and those that it
 * names itself.
 */
export function boundaryValues(flat: JsonObject): Json[] {
  const { type = [], minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = flat;
  const types = [type].flat();
  const values = [
    flat['const'],
    flat['default'],
    flat['example'],
    ...arrayOf(flat['enum']),
    ...arrayOf(flat['examples']),
  ];
  const around = (bound: Json | undefined): number[] => {
    const number = isNumber(bound) ? Number(bound) : NaN;
    // Beyond, the judge rounds.
    return Math.abs(number) < 2 ** 53 - 1 ? [number, number - 1, number + 1] : [];
  };
  if (types.includes('integer') || types.includes('number')) {
    const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].flatMap(around);
    values.push(...bounds, ...INTEGERS);
    if (isOfBigints(flat)) values.push(...INT64S);
    if (types.includes('number')) values.push(...FRACTIONS);
  }
  if (types.includes('string')) {
    // Texts near V8's longest, of 2^29 characters, are left out.
    const lengths = [minLength, maxLength].flatMap(around).filter((length) => length >= 0 && length < 2 ** 28);
    values.push(
      ...lengths.map((length) => 'x'.repeat(length)),
      ...[0, 1, 2, 3].map((salt) => stringOf(flat, 'ä b', salt)),
    );
  }
  if (types.includes('boolean')) values.push(true, false);
  return values.filter((value) => value !== undefined);
}

/** Whether a schema allows integers beyond 2^53, by the rule that the documentation gives. */
export function isOfBigints(schema: JsonObject): boolean {
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, const: only, enum: allowed } = schema;
  const types = [type ?? []].flat();
  if (format === 'int64' || format === 'uint64') {
    return type === undefined || types.includes('integer') || types.includes('number');
  }
  const isBeyondDoubles = (value: Json | undefined): boolean =>
    isNumber(value) && Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER;
  const constants = 'const' in schema ? [only] : arrayOf(allowed);
  if (type === undefined) {
    const areIntegers = constants.every((value) => typeof value !== 'number' || Number.isInteger(value));
    return areIntegers && constants.some(isBeyondDoubles);
  }
  if (!types.includes('integer') || types.includes('number') || format === 'int32') return false;
  const values = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, only, ...arrayOf(allowed)];
  return values.some(isBeyondDoubles);
}

/**
 * A number that a schema of type integer or number allows.
 * @param salt tells apart the items of an array.
 */
export function numberOf(flat: JsonObject, type: string, salt: number): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = flat;
  const low = Math.max(-Infinity, ...[minimum, exclusiveMinimum].filter(isNumber).map(Number));
  const high = Math.min(Infinity, ...[maximum, exclusiveMaximum].filter(isNumber).map(Number));
  const isAbove = exclusiveMinimum === true ? low < Infinity : isNumber(exclusiveMinimum);
  const isBelow = exclusiveMaximum === true ? high > -Infinity : isNumber(exclusiveMaximum);
  const step = isNumber(multipleOf) ? Number(multipleOf) : type === 'integer' ? 1 : 0.25;
  const fits = (value: number): boolean =>
    (isAbove ? value > low : value >= low) && (isBelow ? value < high : value <= high);
  // Beyond 2^53 on purpose: a server that rounds gives a neighbour.
  if (isOfBigints({ type, ...flat }) && step === 1 && fits(2 ** 53 + 2 + salt))
    return 2n ** 53n + 1n + BigInt(salt * 2);
  const cents = step < 1 ? [round(1999 * step, step)] : [];
  const aligned = [Math.ceil(low / step), Math.floor(high / step)]
    .filter(Number.isFinite)
    .map((multiple) => multiple * step);
  const beside = aligned.flatMap((multiple) => [multiple + step, multiple - step]);
  const steps = [...cents, 12, 12 * step, ...aligned, ...beside, 0, (low + high) / 2];
  const salted = steps.flatMap((number) => [number + salt * step, number]).map((number) => round(number, step));
  return salted.find((number) => fits(number) && Number.isInteger(round(number / step, 1e-6))) ?? 1;
}

/** Without the error of binary fractions. */
function round(value: number, step: number): number {
  return Number.isInteger(step) ? value : Number(value.toFixed(9));
}

const FORMATS: Readonly<Record<string, (salt: number) => string>> = {
  date: (salt) => `2024-02-${29 - (salt % 28)}`,
  'date-time': (salt) => `2024-02-29T12:30:${String(10 + (salt % 50))}.125Z`,
  time: (salt) => `12:30:${String(10 + (salt % 50))}Z`,
  duration: (salt) => `P${3 + salt}DT4H`,
  uuid: (salt) => `f81d4fae-7dec-41d0-a765-00a0c91e6b${(16 + salt).toString(16)}`,
  email: (salt) => `user${salt}@example.com`,
  'idn-email': (salt) => `user${salt}@example.com`,
  hostname: (salt) => `host${salt}.example.com`,
  ipv4: (salt) => `192.0.2.${1 + salt}`,
  ipv6: (salt) => `2001:db8::${1 + salt}`,
  uri: (salt) => `https://example.com/${salt}`,
  url: (salt) => `https://example.com/${salt}`,
  'uri-reference': (salt) => `/a/${salt}`,
  iri: (salt) => `https://example.com/${salt}`,
  byte: (salt) => Buffer.from(`bytes ${salt}`).toString('base64'),
  'json-pointer': (salt) => `/a/${salt}`,
  regex: (salt) => `^a{${salt}}$`,
};

/**
 * A text that a string schema allows.
 * @param text what it is where it may be anything.
 * @param salt tells apart the items of an array.
 * @param isOfFormat the author's rule for the format; undefined for none.
 */
export function stringOf(
  flat: JsonObject,
  text: string,
  salt: number,
  isOfFormat?: (text: string) => boolean,
): string | undefined {
  const { format, pattern, minLength, maxLength, example, examples } = flat;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const patterns = [pattern].flat().filter((expression) => typeof expression === 'string');
  const fits = (text: string): boolean =>
    Array.from(text).length >= least &&
    Array.from(text).length <= most &&
    patterns.every((each) => expression(each)?.test(text) ?? true) &&
    isOfFormat?.(text) !== false;
  const known = typeof format === 'string' ? FORMATS[format]?.(salt) : undefined;
  // A custom format may be like a known one, or like a number.
  const alike = (): string[] => [
    `${12 + salt}.50`,
    `${12 + salt}`,
    ...Object.values(FORMATS).map((make) => make(salt)),
  ];
  const formatted =
    isOfFormat === undefined || (known !== undefined && isOfFormat(known)) ? known : alike().find(isOfFormat);
  const plain = sized(salt === 0 ? text : `${text}${salt}`, least, most);
  const declared = [example, ...arrayOf(examples)].filter((text) => typeof text === 'string');
  const candidates = [formatted ?? plain, ...declared, sized(`a${salt}`, least, most)];
  const matches = (): string[] => patterns.flatMap((expression) => matching(expression, most)).filter(fits);
  if (salt === 0) return candidates.find(fits) ?? matches()[0] ?? formatted;
  const fitting = [...new Set([...candidates.slice(0, 1).filter(fits), ...matches()])];
  return fitting[salt % fitting.length] ?? formatted;
}

/** The text, repeated or cut to a length in code points, which are the items of a text. */
function sized(text: string, least: number, most: number): string {
  const repeated = text.repeat(Math.max(1, Math.ceil(least / Array.from(text).length)));
  return Array.from(repeated)
    .slice(0, Math.max(least, Math.min(Array.from(text).length, most)))
    .join('')
    .trim()
    .padEnd(least, 'a');
}

const EXPRESSIONS = new Map<string, RegExp | undefined>();

/** The regular expression, with the u flag where that is possible; undefined for none at all. */
export function expression(pattern: string): RegExp | undefined {
  if (!EXPRESSIONS.has(pattern)) EXPRESSIONS.set(pattern, compiled(pattern, 'u') ?? compiled(pattern, ''));
  return EXPRESSIONS.get(pattern);
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  const [, before = '', own = '', after = pattern] = /^(.*?)\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(before + after, flags + own);
  } catch {
    return undefined;
  }
}

const MATCHES = new Map<string, string[]>();

/** Texts that match a pattern; none where fast-check cannot read it. */
function matching(pattern: string, most: number): string[] {
  const size = most > 30 ? 'medium' : 'small';
  const key = `${size} ${pattern}`;
  const matches = MATCHES.get(key) ?? sampled(expression(pattern), size);
  MATCHES.set(key, matches);
  return matches;
}

function sampled(found: RegExp | undefined, size: 'small' | 'medium'): string[] {
  try {
    const texts = found === undefined ? [] : fc.sample(fc.stringMatching(found, { size }), { numRuns: 200, seed: 1 });
    // Printable ASCII first: headers and cookies can carry it.
    return texts.toSorted((a, b) => Number(/^[ -~]+$/.test(b)) - Number(/^[ -~]+$/.test(a)));
  } catch {
    return [];
  }
}

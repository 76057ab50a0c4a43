import { BODY_LIMITS } from '../bodies/limits.ts';
import { described } from '../errors/described.ts';
import { schemasOfDocument } from '../schema/document-schemas.ts';
import { formatsDisagreement, formatsMistake, unknownFormat } from '../schema/format-options.ts';
import { fieldsOf, isObject } from '../schema/openapi-document.ts';
import { didYouMean } from '../errors/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { withDefaults } from '../json/with-defaults.ts';
import type { CompleteOptions, MiddlewareOptions } from './options.ts';
import { printFailure } from './print-failure.ts';

/** What an option must be: a test, and the words for it. */
type Requirement = readonly [holds: (value: unknown) => boolean, words: string];

const FUNCTION: Requirement = [(value) => typeof value === 'function', 'a function'];
const BOOLEAN: Requirement = [(value) => typeof value === 'boolean', 'true or false'];
const TIME = 'a number of milliseconds above 0';

const OPTIONS: Readonly<Record<keyof MiddlewareOptions, Requirement>> = {
  contract: [isContract, "what loadContract resolves to: await loadContract(new URL('openapi.yaml', import.meta.url))"],
  handlers: [isObject, 'an object with a function for each operation, by operationId'],
  verifiers: [isObject, 'an object with a function for each security scheme'],
  checks: [isObject, 'an object with functions by operationId'],
  unhandled: [
    (value) => value === 'refuse' || value === 'next' || value === 'notImplemented',
    "'refuse', 'next' or 'notImplemented'",
  ],
  context: FUNCTION,
  formats: [isObject, "an object with formats by name: { 'date-time': { decode, encode } }"],
  shapes: [isObject, 'the table `shapes` that openapi-exact generate writes'],
  keepBytes: [Array.isArray, 'a list of operationIds'],
  fallthrough: BOOLEAN,
  errorBody: FUNCTION,
  onError: FUNCTION,
  onChange: FUNCTION,
  guard: [isGuard, 'an object with the functions accept and refuse'],
  realm: [(value) => typeof value === 'string', 'a text'],
  bodyLimits: [isObject, `an object with numbers for some of ${Object.keys(BODY_LIMITS).join(', ')}`],
  requestId: FUNCTION,
  undeclaredQuery: [(value) => value === 'refuse' || value === 'ignore', "'refuse' or 'ignore'"],
  undeclaredProperties: [(value) => value === 'send' || value === 'strip', "'send' or 'strip'"],
  timeout: [(value) => isPositiveTime(value) || typeof value === 'function', `${TIME}, or a function that returns one`],
  sendsContinue: BOOLEAN,
};

/** How long a handler may take by default, in milliseconds. */
const HANDLER_TIMEOUT = 60_000;

/**
 * The options of `contractMiddleware` with their defaults.
 * @throws ConfigurationError for an option that is missing, unknown, or not what it must be.
 */
export function completeOptions(options: MiddlewareOptions): CompleteOptions {
  requireOptions(options);
  const { contract, handlers, errorBody, onChange, context, guard, requestId } = options;
  const complete = withDefaults(options, {
    verifiers: {},
    checks: {},
    unhandled: 'refuse',
    keepBytes: [],
    formats: {},
    fallthrough: true,
    onError: printFailure,
    realm: String(contract.document.info['title']),
    bodyLimits: {},
    undeclaredQuery: 'refuse',
    undeclaredProperties: 'send',
    timeout: HANDLER_TIMEOUT,
    sendsContinue: false,
  });
  const bodyLimits = withDefaults(complete.bodyLimits, BODY_LIMITS);
  return { ...complete, contract, handlers, errorBody, onChange, context, guard, requestId, bodyLimits };
}

function requireOptions(options: unknown): void {
  if (!isObject(options)) {
    const example = 'contractMiddleware({ contract, handlers, verifiers })';
    throw new ConfigurationError(`contractMiddleware takes an object with options: ${example}.`);
  }
  requireNames(options, Object.keys(OPTIONS), 'contractMiddleware has no option');
  for (const [name, [holds, words]] of Object.entries(OPTIONS)) {
    const value = options[name];
    const isLeftOut = value === undefined && name !== 'contract' && name !== 'handlers';
    if (isLeftOut || holds(value)) continue;
    throw new ConfigurationError(`The option '${name}' must be ${words}, not ${described(value)}.`);
  }
  // Safe: the table of options has checked them.
  requireFormats(options as unknown as FormatsOptions);
  const limits = fieldsOf(options['bodyLimits']);
  requireNames(limits, Object.keys(BODY_LIMITS), 'bodyLimits has no limit');
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === undefined || (typeof limit === 'number' && limit >= 0)) continue;
    throw new ConfigurationError(`The limit '${name}' of bodyLimits must be a number from 0, not ${described(limit)}.`);
  }
}

/**
 * @throws ConfigurationError for formats that are invalid, that the contract does not have, or that
 * contradict the generated types.
 */
function requireFormats({ contract, formats = {}, shapes }: FormatsOptions): void {
  const names = Object.keys(formats).filter((name) => formats[name] !== undefined);
  const mistake =
    formatsMistake(formats) ??
    unknownFormat("The option 'formats' has", names, names.length === 0 ? [] : schemasOfDocument(contract.document)) ??
    (shapes === undefined ? undefined : formatsDisagreement(formats, shapes.formats));
  if (mistake !== undefined) throw new ConfigurationError(mistake);
}

type FormatsOptions = Pick<MiddlewareOptions, 'contract' | 'formats' | 'shapes'>;

/** The time-out of an operation. @throws ConfigurationError unless it is a time. */
export function timeoutOf({ timeout }: CompleteOptions, operation: string): number {
  const given: unknown = typeof timeout === 'function' ? timeout(operation) : timeout;
  const time = given === undefined ? HANDLER_TIMEOUT : given;
  if (isPositiveTime(time)) return time;
  throw new ConfigurationError(`The time-out of ${operation} must be ${TIME}, not ${described(time)}.`);
}

function requireNames(object: object, known: readonly string[], sentence: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const question = didYouMean(unknown, known);
  throw new ConfigurationError(
    `${sentence} '${unknown}'.${question === '' ? ` It has ${known.join(', ')}.` : question}`,
  );
}

function isContract(value: unknown): boolean {
  return isObject(value) && Array.isArray(value['operations']) && isObject(value['document']) && 'sources' in value;
}

function isGuard(value: unknown): boolean {
  return isObject(value) && typeof value['accept'] === 'function' && typeof value['refuse'] === 'function';
}

/** Infinity means unlimited. */
function isPositiveTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

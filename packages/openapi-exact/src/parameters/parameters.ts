import type { IncomingMessage } from 'node:http';
import { InvalidRequestError, MOST_FAULTS, RequestError } from '../errors/errors.ts';
import { quoted } from '../errors/shortened.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import type { Parameter, ParameterLocation } from '../schema/openapi-document.ts';
import { schemesOf } from '../security/schemes.ts';
import { MAX_VALUES, ValueCount, type ValueMemory } from '../json/value-count.ts';
import { FormFields } from './form-fields.ts';
import { LOCATIONS } from './locations.ts';
import { cookiePairs, formPairs, type Pairs } from './pairs.ts';
import { TextField, valuesOfFields } from './text-field.ts';
import { decodeQuery } from '../http/percent-encoding.ts';
import { splitEntry } from './text-style.ts';

/**
 * The parameters of a request, by the names of the contract. An int64 is a `bigint`; until the
 * request is validated, a number that doubles hold, or a `LosslessNumber`.
 */
export interface ParameterValues {
  readonly params: Readonly<Record<string, unknown>>;
  /** Where the query is one value, that value, which may be undefined. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
}

/** The parameters of a request as read. */
export interface ReadParameters extends ParameterValues {
  /** Whether doubles hold all numbers, and no key is special: see json/special-keys.ts. */
  readonly isPlain: boolean;
}

/** What is done with a query parameter that the contract does not have: 400, or nothing. */
export type UndeclaredQuery = 'refuse' | 'ignore';

/** How a query is read that is one value. */
interface WholeQuery {
  readonly read: (query: string, count: ValueCount) => unknown;
  readonly isRequired: boolean;
}

/** The headers of a request, with the lines of each name apart. */
type HeaderSource = Pick<IncomingMessage, 'headers' | 'headersDistinct'>;

/** So many values of a location take little beside its text, and need no memory of their own. */
const UNRESERVED = 256;

/** Reads the parameters of one operation. */
export class Parameters {
  readonly #path: readonly TextField[];
  readonly #headers: readonly TextField[];
  readonly #query: FormFields;
  readonly #cookies: FormFields;
  readonly #apiKeys: readonly string[];
  readonly #cookieKeys: readonly string[];
  /** Whether there is but one parameter, which has one fault at most. */
  readonly #isAlone: boolean;
  readonly #undeclaredQuery: UndeclaredQuery;
  readonly #querystring: WholeQuery | undefined;

  /** @param readQuerystring reads a query that is one value; undefined for one of parameters. */
  constructor(
    contract: Contract,
    operation: Operation,
    undeclaredQuery: UndeclaredQuery = 'refuse',
    readQuerystring?: WholeQuery['read'],
  ) {
    const { document } = contract;
    this.#querystring = readQuerystring && {
      read: readQuerystring,
      isRequired: operation.querystring?.isRequired === true,
    };
    this.#undeclaredQuery = undeclaredQuery;
    const parametersIn = (location: ParameterLocation): Parameter[] =>
      operation.parameters.filter((parameter) => parameter.in === location);
    this.#path = parametersIn('path').map((parameter) => new TextField(document, parameter));
    this.#headers = parametersIn('header').map((parameter) => new TextField(document, parameter));
    this.#query = new FormFields(document, parametersIn('query'), LOCATIONS.query);
    this.#cookies = new FormFields(document, parametersIn('cookie'), LOCATIONS.cookie);
    this.#apiKeys = apiKeysIn('query', contract, operation);
    this.#cookieKeys = apiKeysIn('cookie', contract, operation);
    this.#isAlone = operation.parameters.length === 1;
  }

  /**
   * @param path the texts of the path parameters, still percent-encoded.
   * @param query the text after the `?`.
   * @param memory is asked for values before they are made, where a location has many.
   * @throws RequestError invalidParameter, unknownQueryParameter, malformedUrl or overloaded.
   */
  readParameters(
    path: Readonly<Record<string, string>>,
    query: string,
    request: HeaderSource,
    memory: ValueMemory,
  ): ReadParameters {
    // A lone parameter has one fault, which needs no search for others.
    if (this.#isAlone && query === '' && this.#querystring === undefined)
      return this.#parameterValues(path, query, request, memory);
    try {
      return this.#parameterValues(path, query, request, memory);
    } catch (error) {
      if (!(error instanceof RequestError) || error.reason === 'overloaded') throw error;
      throw new InvalidRequestError(error, () => this.#faults(error, path, query, request));
    }
  }

  #parameterValues(
    path: Readonly<Record<string, string>>,
    query: string,
    request: HeaderSource,
    memory: ValueMemory,
  ): ReadParameters {
    const counts: ValueCount[] = [];
    const count = (): ValueCount => {
      const own = new ValueCount(MAX_VALUES, undefined, memory, UNRESERVED);
      counts.push(own);
      return own;
    };
    const values = {
      params: this.#path.length === 0 ? {} : this.#readPath(path, count()),
      query: this.#queryValues(query, count),
      headers: this.#headers.length === 0 ? {} : this.#readHeaders(request, count()),
      cookies: this.#cookies.isEmpty ? {} : this.#readCookies(request, count()),
    };
    return { ...values, isPlain: counts.every(({ isPlain }) => isPlain) };
  }

  #queryValues(query: string, count: () => ValueCount): Record<string, unknown> {
    if (this.#querystring !== undefined) return this.#wholeQuery(this.#querystring, query, count);
    return query === '' ? {} : this.#readQuery(query, count());
  }

  /** The value of the whole query, if any. @throws RequestError for a missing required one. */
  #wholeQuery({ read, isRequired }: WholeQuery, query: string, count: () => ValueCount): Record<string, unknown> {
    const text = this.#apiKeys.length === 0 ? query : withoutNames(query, this.#apiKeys);
    if (text === '' && isRequired) throw LOCATIONS.query.refuse({ place: '', keyword: 'required', limits: 'given' });
    // Its type is that of the contract: any value of JSON.
    return (text === '' ? undefined : read(text, count())) as Record<string, unknown>;
  }

  #readQuery(query: string, count: ValueCount): Record<string, unknown> {
    const pairs = formPairs(query, count);
    for (const name of pairs.keys()) this.#requireKnown(name);
    return this.#query.fieldValues(pairs, count, this.#isApiKey);
  }

  #isApiKey = (name: string): boolean => this.#apiKeys.includes(name);

  /** @throws RequestError unknownQueryParameter. */
  #requireKnown(name: string): void {
    if (this.#undeclaredQuery === 'ignore' || this.#isApiKey(name) || this.#query.takesName(name)) return;
    const message = `The query parameter ${quoted(name)} is not in the contract: leave it out.`;
    const fault = { in: 'query', pointer: name, keyword: 'additionalProperties', message } as const;
    throw new RequestError('unknownQueryParameter', message, { faults: [fault] });
  }

  /** The fault that was found, and those of other parameters. */
  #faults(
    found: RequestError,
    path: Readonly<Record<string, string>>,
    query: string,
    request: HeaderSource,
  ): readonly RequestError[] {
    if (this.#querystring !== undefined) return [found];
    const count = new ValueCount();
    const pairs = formPairs(query, count);
    const reads = [
      ...this.#path.map((field) => () => valuesOfFields([field], (name) => [path[name] ?? ''], new ValueCount())),
      ...[...pairs.keys()].slice(0, MOST_FAULTS).map((name) => this.#requireKnown.bind(this, name)),
      ...this.#query.readers(pairs, count, this.#isApiKey),
      ...this.#headers.map((field) => () => valuesOfFields([field], headerTexts(request), new ValueCount())),
      ...this.#cookies.readers(this.#cookiePairs(request, count), count, this.#isCookieKey),
    ];
    const faults = new Map([[found.message, found]]);
    for (const read of reads) {
      if (faults.size === MOST_FAULTS || count.isExceeded) break;
      try {
        read();
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        faults.set(error.message, error);
      }
    }
    return [...faults.values()];
  }

  #readPath(path: Readonly<Record<string, string>>, count: ValueCount): Record<string, unknown> {
    return valuesOfFields(this.#path, (name) => [path[name] ?? ''], count);
  }

  #readHeaders(request: HeaderSource, count: ValueCount): Record<string, unknown> {
    return valuesOfFields(this.#headers, headerTexts(request), count);
  }

  #readCookies(request: HeaderSource, count: ValueCount): Record<string, unknown> {
    return this.#cookies.fieldValues(this.#cookiePairs(request, count), count, this.#isCookieKey);
  }

  #cookiePairs({ headers: { cookie = '' } }: HeaderSource, count: ValueCount): Pairs {
    const isSpread = (name: string): boolean => this.#cookies.isSpread(name);
    const isPlain = (name: string): boolean => this.#cookies.isPlain(name);
    return cookiePairs(cookie, { isSpread, isPlain }, count);
  }

  #isCookieKey = (name: string): boolean => this.#cookieKeys.includes(name);
}

/** A query without the pairs of some names. */
function withoutNames(query: string, names: readonly string[]): string {
  const pairs = query.split('&').filter((pair) => !names.includes(decodeQuery(splitEntry(pair)[0])));
  return pairs.join('&');
}

/** The lines of a header, by its name. */
function headerTexts({ headersDistinct }: HeaderSource): (name: string) => readonly string[] | undefined {
  return (name) => headersDistinct[name.toLowerCase()];
}

/** API keys in a location: known names that are not parameters of the operation. */
function apiKeysIn(place: ParameterLocation, contract: Contract, operation: Operation): string[] {
  const schemes = [...schemesOf(contract, operation).values()];
  return schemes.flatMap(({ in: location, name }) => (location === place && name !== undefined ? [name] : []));
}

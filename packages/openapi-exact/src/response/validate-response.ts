import type { DeclaredPlace, DeclaredProperties } from './declared-properties.ts';
import { declaredResponse, type DeclaredContent, type DeclaredResponse } from './declared-response.ts';
import { bodyKind, declaredType } from '../http/media-type.ts';
import { http } from '../http/node-http.ts';
import { declaredStatus } from '../document/operations.ts';
import { described } from '../errors/described.ts';
import { messageOf } from '../errors/errors.ts';
import { JsonBody } from '../json/json-body.ts';
import { ignoreRejection, isPromise } from '../json/unwritten-kind.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { keyOfToken, tokenOfKey } from '../json/json-pointer.ts';
import { WITHOUT_CONTENT } from './negotiate.ts';
import { JsonHeader, checkedText } from '../parameters/header-text.ts';
import { valuesOfFields } from '../parameters/text-field.ts';
import { ItemBody } from './item-body.ts';
import { isAsyncIterable, isBytes, type ResponseValue } from './respond.ts';
import { MismatchError, InvalidResponseError } from '../errors/invalid-response-error.ts';
import { withNumbers } from '../errors/limits.ts';
import { setOwn } from '../json/set-own.ts';
import { ValueCount } from '../json/value-count.ts';
import type { EncodeRules } from '../schema/encode-here.ts';
import type { Place } from '../schema/places.ts';
import { encodeValue, IN_JSON } from './encode-value.ts';
import type { OperationSchemas } from '../validation/operation-schemas.ts';
import type { Sequence } from '../schema/sequence.ts';
import { headersName, itemType, partHeadersType, placeInPart, responseSchemas } from '../bodies/message-parts.ts';

/** The bodies of failures are made without types: their texts may be written already. */
const OF_FAILURES: EncodeRules = { ...IN_JSON, allowsJson: true };

/** Checks the responses of one operation against what the contract declares of them. */
export class ResponseValidator {
  readonly #schemas: OperationSchemas;
  /** The required parts of a response, by the key of its status in the contract. */
  readonly #responses: ReadonlyMap<string, DeclaredResponse>;
  readonly #declared: DeclaredProperties | undefined;
  /** The places of custom formats by the parts of responses. */
  readonly #encodedPlaces = new Map<string, { readonly place: Place | undefined }>();

  /** @param declared the properties that are sent; undefined for all. */
  constructor(schemas: OperationSchemas, declared: DeclaredProperties | undefined) {
    this.#schemas = schemas;
    this.#declared = declared;
    const { operation, validation } = schemas;
    const responses = Object.entries(operation.responses);
    this.#responses = new Map(
      responses.map(([status, response]) => [status, declaredResponse(validation.contract.document, status, response)]),
    );
  }

  /**
   * Validates a handler's response. The items of a stream are checked when they are sent.
   * Other streams and bytes are not checked, and are refused where JSON is declared.
   * @returns the response with the JSON that was checked, which nothing changes any more.
   * @throws InvalidResponseError that describes the handler's mistake.
   */
  validateResponse(value: ResponseValue): ResponseValue {
    const { status, headers, contentType, body } = value;
    const { id, responses } = this.#schemas.operation;
    const key = status >= 200 && status < 600 ? declaredStatus(responses, status) : undefined;
    const response = key === undefined ? undefined : this.#responses.get(key);
    if (key === undefined || response === undefined) {
      throw new InvalidResponseError(
        `${id} answered ${status}, which the contract does not declare.`,
        status,
        undefined,
      );
    }
    const { types, requiredHeaders } = response;
    const given = headers === undefined ? NO_HEADERS : headersOf(headers);
    const missing = requiredHeaders.find((name) => !given.has(name.toLowerCase()));
    if (missing !== undefined) throw mistakeOf(id, status)(`without the header ${missing}.`);
    if (given.size > 0) this.#checkHeaders(headersName(key), response, given, mistakeOf(id, status));
    if (types.length === 0) {
      if (body === undefined) return value;
      throw mistakeOf(id, status)('with a body, which the contract does not declare.');
    }
    if (body === undefined && WITHOUT_CONTENT.includes(status)) return value;
    const checked = this.#checkContent(response, { contentType, body }, mistakeOf(id, status));
    return { status, headers, contentType, body: checked };
  }

  /**
   * Validates the body of a response, without its headers. The contract declares the status with
   * content.
   * @returns the body as sent.
   * @throws InvalidResponseError as {@link validateResponse} does.
   */
  validateContent(status: number, content: CheckedContent): unknown {
    const key = declaredStatus(this.#schemas.operation.responses, status) ?? '';
    const response = this.#responses.get(key);
    const mistake: ResponseMistake = (what, cause) => new InvalidResponseError(`It comes ${what}`, status, cause);
    if (response === undefined) throw mistake('with a status that is not declared.');
    return this.#checkContent(response, content, mistake, OF_FAILURES);
  }

  /**
   * The response with the texts of header values that have a format.
   * @throws InvalidResponseError for a value that its format cannot write.
   */
  withEncodedHeaders(value: ResponseValue): ResponseValue {
    const { status, headers } = value;
    const { id, responses } = this.#schemas.operation;
    const key = declaredStatus(responses, status) ?? '';
    const place = headers === undefined ? undefined : this.#encodedPlaceOf(headersName(key));
    if (headers === undefined || place === undefined) return value;
    const declared = Object.entries(responses[key]?.headers ?? {});
    const written = Object.entries(headers).map(([name, given]): [string, unknown] => {
      const [known = name, header] = declared.find(([known]) => known.toLowerCase() === name.toLowerCase()) ?? [];
      const rules = header?.content === undefined ? {} : IN_JSON;
      try {
        return [name, encodeValue(given, place.propertyPlace(known), rules, `/${tokenOfKey(name)}`)];
      } catch (cause) {
        const what = `with a header that is not as the contract describes it: ${messageOf(cause)}.`;
        throw mistakeOf(id, status)(what, cause);
      }
    });
    return { ...value, headers: Object.fromEntries(written) };
  }

  /** A body with the texts and the numbers of values that have a format. */
  #encoded(part: string, body: unknown, rules: EncodeRules): unknown {
    return encodeValue(body, this.#encodedPlaceOf(part), rules);
  }

  /** A body of one text. */
  #encodedText(part: string, body: unknown): unknown {
    const encoded = this.#encoded(part, body, {});
    return typeof encoded === 'number' && encoded !== body ? String(encoded) : encoded;
  }

  #encodedPlaceOf(part: string): Place | undefined {
    const { operation, validation } = this.#schemas;
    if (validation.validator.customFormats.codecs.size === 0) return undefined;
    return getOrInsert(this.#encodedPlaces, part, () => {
      return {
        place: validation.places.encodedPlaceOf(responseSchemas(validation.contract.document, operation)[part]),
      };
    }).place;
  }

  /** The body of a response without what the contract does not declare, if that is left out. */
  declaredBody(status: number, { contentType, body }: CheckedContent): unknown {
    const response = this.#responses.get(declaredStatus(this.#schemas.operation.responses, status) ?? '');
    const mediaType = contentType === undefined ? undefined : declaredType(response?.types ?? [], contentType);
    const content = response?.contents.get(mediaType ?? '');
    if (content === undefined || bodyKind(contentType ?? '') !== 'json') return body;
    const encoded = this.#encoded(content.part, body, OF_FAILURES);
    return this.#declared === undefined ? encoded : new JsonBody(encoded, this.#placeOf(content.part));
  }

  /** What is declared of a part of a response; undefined where all of it is sent. */
  #placeOf(part: string): DeclaredPlace | undefined {
    if (this.#declared === undefined) return undefined;
    const { operation, validation } = this.#schemas;
    const schema = responseSchemas(validation.contract.document, operation)[part];
    return schema && this.#declared.placeOf(schema);
  }

  /** @returns the body as sent. */
  #checkContent(
    { types, contents }: DeclaredResponse,
    { contentType, body }: CheckedContent,
    mistake: ResponseMistake,
    rules = IN_JSON,
  ): unknown {
    const mediaType = (contentType === undefined ? types[0] : declaredType(types, contentType)) ?? '';
    const declared = contents.get(mediaType);
    if (declared === undefined) throw mistake(`as ${contentType}, which the contract does not declare.`);
    if (body === undefined) throw mistake('without a body, which the contract declares.');
    if (isPromise(body) && (bodyKind(contentType ?? mediaType) === 'json' || !isBytes(body))) {
      ignoreRejection(body);
      throw mistake('with a promise as its body: await it.');
    }
    if (declared.sequence !== undefined) {
      return this.#itemBody(
        { ...declared, sequence: declared.sequence },
        { contentType: contentType ?? mediaType, body },
        mistake,
        rules,
      );
    }
    if (isBytes(body)) {
      if (bodyKind(contentType ?? mediaType) !== 'json') return body;
      throw mistake('with bytes or a stream, where the contract declares a JSON value.');
    }
    const { part, reader } = declared;
    try {
      if (bodyKind(contentType ?? mediaType) !== 'json') {
        const count = new ValueCount();
        const text = reader === undefined ? body : this.#encodedText(part, body);
        const value = reader !== undefined && typeof text === 'string' ? reader.text(text, '', count) : undefined;
        const checked = value ?? new JsonBody(text).value;
        this.#checkPart(part, checked, { isPlain: typeof text === 'string' && count.isPlain });
        return text;
      }
      const json = new JsonBody(this.#encoded(part, body, rules), this.#placeOf(part));
      this.#checkPart(part, json.value, json);
      return json;
    } catch (cause) {
      throw mistake(`with a body that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  /** A stream of items, each of which is checked when it is its turn. */
  #itemBody(
    { part, sequence, itemParts }: DeclaredContent & { readonly sequence: Sequence },
    { contentType = '', body }: CheckedContent,
    mistake: ResponseMistake,
    rules: EncodeRules,
  ): ItemBody {
    if (!isAsyncIterable(body) && !Array.isArray(body)) {
      throw mistake(`with ${described(body)} as its body, which must be an async iterable of items.`);
    }
    const checkedValue = (name: string, value: unknown): JsonBody => {
      const json = new JsonBody(this.#encoded(name, value, rules), this.#placeOf(name));
      if (json.value === undefined) throw new TypeError('it must be a value of JSON');
      this.#checkPart(name, json.value, json);
      return json;
    };
    const checkedItem = (index: number, item: unknown): JsonBody =>
      checkedValue(itemType(part, index, sequence.prefix.length), item);
    const parts = itemParts && {
      writers: itemParts,
      contentType,
      check: {
        checkedValue: (name: string, value: unknown) => checkedValue(`${part}${name}`, value),
        checkHeaders: (name: string, values: Readonly<Record<string, unknown>>, count: ValueCount) => {
          this.#checkPart(partHeadersType(`${part}${name}`), values, count);
        },
      },
    };
    const source = Array.isArray(body) ? asyncIterable<unknown>(body) : body;
    return new ItemBody(source, { sequence, checkedItem, mistake, parts });
  }

  #checkHeaders(name: string, { headers, fields }: DeclaredResponse, given: Headers, mistake: ResponseMistake): void {
    for (const [lower, header] of given) {
      if (headers.has(lower)) continue;
      throw mistake(`with the header ${header.name}, which the contract does not declare.`);
    }
    try {
      // Else Node.js refuses it after it has set the headers in front of it.
      for (const { name, texts } of given.values()) for (const text of texts) http.validateHeaderValue(name, text);
      const count = new ValueCount();
      const values = valuesOfFields(fields, (name) => given.get(name.toLowerCase())?.texts, count);
      for (const [name, read] of Object.entries(values)) {
        const value = given.get(name.toLowerCase())?.value;
        if (value instanceof JsonHeader) {
          setOwn(values, name, value.json.value);
          count.isPlain &&= value.json.isPlain;
        } else requireAsGiven(name, value, read);
      }
      if (Object.keys(values).length > 0) this.#checkPart(name, values, count);
    } catch (cause) {
      throw mistake(`with a header that is not as the contract describes it: ${messageOf(cause)}.`, cause);
    }
  }

  /** @throws MismatchError that names the place in the part, and what must be there. */
  #checkPart(name: string, value: unknown, { isPlain }: Pick<JsonBody, 'isPlain'>): void {
    try {
      // JSON omits undefined, so the message lacks this part.
      this.#schemas.check('response', { parts: value === undefined ? {} : { [name]: value }, isPlain });
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const { pointer } = placeInPart(error.place);
      const place = pointer === '' ? '/' : pointer;
      const { operation, validation } = this.#schemas;
      const schema = responseSchemas(validation.contract.document, operation)[name];
      const isInt64 =
        schema !== undefined && placeAt(validation.places.placeOf(schema), place, value)?.isInt64 === true;
      const limits = isInt64 ? withNumbers(error.limits, 'bigint') : error.limits;
      throw new MismatchError({ place, keyword: error.keyword, limits });
    }
  }
}

function asyncIterable<T>(items: readonly T[]): AsyncIterable<T> {
  const iterator = items.values();
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(iterator.next()) }) };
}

/** The place that a JSON pointer into a value leads to. @param place of the value. */
function placeAt(place: Place | undefined, pointer: string, value: unknown): Place | undefined {
  let [found, current] = [place, value];
  for (const token of pointer === '/' ? [] : pointer.split('/').slice(1)) {
    const key = keyOfToken(token);
    found = Array.isArray(current) ? found?.itemPlace(Number(key)) : found?.propertyPlace(key);
    // What has a place within it is an array or an object; a missing property may be the last step.
    current = (current as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return found;
}

/** The body of a response with its media type. */
interface CheckedContent {
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** The headers of a response, by their names in lower case. */
type Headers = ReadonlyMap<
  string,
  { readonly name: string; readonly value: unknown; readonly texts: readonly string[] }
>;

const NO_HEADERS: Headers = new Map();

function headersOf(headers: NonNullable<ResponseValue['headers']>): Headers {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => [name.toLowerCase(), { name, value, texts: [checkedText(name, value)] }]),
  );
}

/** @throws MismatchError for a value that a client reads as another one. */
function requireAsGiven(name: string, value: unknown, read: unknown): void {
  if (Array.isArray(value) && Array.isArray(read) && value.length !== read.length) {
    throw new MismatchError({ place: `/${name}`, keyword: 'style', limits: 'listText' });
  }
  if (value === null && read !== null) {
    throw new MismatchError({ place: `/${name}`, keyword: 'type', limits: 'notNull' });
  }
}

/** The error for a wrong response: what is wrong with it, and why. */
type ResponseMistake = (what: string, cause?: unknown) => InvalidResponseError;

function mistakeOf(id: string, status: number): ResponseMistake {
  return (what, cause) => new InvalidResponseError(`${id} answered ${status} ${what}`, status, cause);
}

import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { RequestError } from '../errors/errors.ts';
import { essenceOf, isRange, BODY_KINDS, bodyKind, servedTypes } from '../http/media-type.ts';
import { declaredStatus, type Operation } from '../document/operations.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { JsonBody } from '../json/json-body.ts';
import { headerText } from '../parameters/header-text.ts';
import { valueSchema } from '../parameters/value-schema.ts';
import { isObject, type Header, type OpenApiDocument } from '../schema/openapi-document.ts';
import type { DeclaredPlace, DeclaredProperties } from './declared-properties.ts';
import { isBytes, type ResponseValue } from './respond.ts';

/** Statuses without content, whatever the contract says (RFC 9110, 15.3.5, 15.3.6, 15.4.5). */
export const WITHOUT_CONTENT = [204, 205, 304];

/** A header that the contract does not have. */
const UNDECLARED: Header = {};

/** Chooses the media types of an operation's responses, and writes their headers. */
export class Representations {
  readonly #responses: Operation['responses'];
  /** The media types of each declared status. */
  readonly #types: ReadonlyMap<string, readonly string[]>;
  /**
   * The media types among which `Accept` chooses; empty when no successful response has several.
   */
  readonly #alternatives: readonly string[];

  readonly #document: OpenApiDocument;
  readonly #places = new Map<Header, DeclaredPlace>();
  readonly #declared: DeclaredProperties | undefined;

  /** @param declared the properties of values that are sent; undefined for all. */
  constructor({ responses }: Operation, document: OpenApiDocument, declared: DeclaredProperties | undefined) {
    this.#responses = responses;
    this.#document = document;
    this.#declared = declared;
    this.#types = new Map(
      Object.entries(responses).map(([status, { content = {} }]) => [status, servedTypes(content)]),
    );
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
    const statuses = successes.length > 0 ? successes : ['default'];
    // Also where JSON alone is served of JSON and XML.
    const isChoice = statuses.some((status) => Object.keys(responses[status]?.content ?? {}).length > 1);
    this.#alternatives = isChoice ? [...new Set(statuses.flatMap((status) => this.#types.get(status) ?? []))] : [];
  }

  /**
   * The media types that the client accepts, best first; undefined without a choice, where
   * `Accept` is ignored (RFC 9110, section 12.5.1).
   * @throws RequestError notAcceptable when the client accepts none.
   */
  accepted(request: Request, response: Response): readonly string[] | undefined {
    if (this.#alternatives.length === 0) return undefined;
    response.vary('Accept');
    const accepted = bestFirst(request, this.#alternatives);
    if (accepted.length > 0) return accepted;
    const message = `The response can be ${this.#alternatives.join(' or ')}: accept one of them.`;
    throw new RequestError('notAcceptable', message);
  }

  /**
   * Writes the headers of a handler's response, and gives it its media type, if it has content but
   * names none: the type declared for its status that the client prefers, otherwise the
   * first.
   */
  represent(given: ResponseValue, request: Request, response: Response): ResponseValue {
    const key = declaredStatus(this.#responses, given.status) ?? '';
    const value = given.headers === undefined ? given : { ...given, headers: this.#texts(given.headers, key) };
    if (value.body === undefined) return value;
    const { status, contentType, body } = value;
    const declared = this.#types.get(key) ?? [];
    if (declared.length > 0 && WITHOUT_CONTENT.includes(status)) {
      const { contentType: _, body: __, ...withoutContent } = value;
      return withoutContent;
    }
    if (contentType !== undefined && !isRange(contentType)) return value;
    const named = declared.filter((mediaType) => !essenceOf(mediaType).includes('*+'));
    const type = contentType ?? preferred(named.length > 0 ? named : declared, request, response);
    return type === undefined ? value : { ...value, contentType: concrete(type, body) };
  }

  #texts(headers: NonNullable<ResponseValue['headers']>, key: string): NonNullable<ResponseValue['headers']> {
    const declared = new Map(
      Object.entries(this.#responses[key]?.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
    );
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        this.#text(name, value, declared.get(name.toLowerCase()) ?? UNDECLARED),
      ]),
    );
  }

  #text(name: string, value: unknown, header: Header): unknown {
    const place = isObject(value) ? this.#placeOf(header) : undefined;
    const given = place === undefined || place.isOpen ? value : new JsonBody(value, place).value;
    return headerText(name, given, header);
  }

  #placeOf(header: Header): DeclaredPlace | undefined {
    const declared = this.#declared;
    return declared && getOrInsert(this.#places, header, () => declared.placeOf(valueSchema(this.#document, header)));
  }
}

/** The media type that the client prefers among several; the first if it accepts none. */
function preferred(types: readonly string[], request: Request, response: Response): string | undefined {
  const [first, ...furtherTypes] = types;
  if (furtherTypes.length === 0) return first;
  response.vary('Accept');
  return bestFirst(request, types)[0] ?? first;
}

/** Maximum length of an `Accept`: the negotiator takes it apart once for each media type. */
const MAX_ACCEPT = 8 * 1024;

/**
 * The media types that the client accepts, best first; without an `Accept`, all. A server may
 * disregard the header (RFC 9110, section 12.5.1), as it does an empty or too long header.
 */
function bestFirst({ headers: { accept = '' } }: Request, types: readonly string[]): readonly string[] {
  const negotiator = new Negotiator({ headers: accept === '' || accept.length > MAX_ACCEPT ? {} : { accept } });
  const named = new Map(types.filter((type) => !isRange(type)).map((type) => [acceptable(type), type]));
  const accepted = negotiator.mediaTypes([...named.keys()]).flatMap((type) => named.get(type) ?? []);
  const declared = types.filter(isRange);
  if (declared.length === 0) return accepted;
  const ranges = negotiator.mediaTypes();
  return [...accepted, ...declared.filter((type) => ranges.some((range) => overlap(type, range)))];
}

/** A client may ask for the charset that text has anyway. */
function acceptable(type: string): string {
  return BODY_KINDS[bodyKind(type)].isText && !type.includes(';') ? `${type};charset=utf-8` : type;
}

/** Whether some media type is in both ranges. */
function overlap(declared: string, accepted: string): boolean {
  const [declaredGroup, acceptedGroup] = [essenceOf(declared), essenceOf(accepted)].map(
    (essence) => essence.split('/')[0],
  );
  return declaredGroup === '*' || acceptedGroup === '*' || declaredGroup === acceptedGroup;
}

/**
 * The media type for a range when the handler names none.
 * @throws Error for one such as `image/*`, which has no obvious media type.
 */
function concrete(type: string, body: unknown): string {
  if (!isRange(type)) return type;
  const essence = essenceOf(type);
  if (essence === 'text/*') return 'text/plain';
  if (essence !== '*/*' && essence !== 'application/*') {
    throw new Error(`The contract declares ${type}: the handler must say which contentType its body has.`);
  }
  return isBytes(body) ? 'application/octet-stream' : 'application/json';
}

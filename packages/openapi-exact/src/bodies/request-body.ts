import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { requireOnce } from '../http/repeated-header.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import type { MediaTypeObject, OpenApiDocument, RequestBody, Schema } from '../schema/openapi-document.ts';
import { sequenceOf, type Sequence } from '../schema/sequence.ts';
import { alternatives, typesOf } from '../schema/alternatives.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { RequestMemory } from './request-memory.ts';
import { FORM_LOCATION, FormReader } from './form-reader.ts';
import { readJson } from '../json/read-json.ts';
import type { BodyLimits } from './limits.ts';
import {
  BODY_KINDS,
  bodyKind,
  declaredType,
  essenceOf,
  isRange,
  parameterValue,
  servedTypes,
  type BodyKind,
} from '../http/media-type.ts';
import { bodyTooLarge, bodyTooSmall, malformedBody, refuseBodyAt, refuseJson, unsupported } from './body-refusals.ts';
import { PartReaders } from './part-readers.ts';
import { partHeadersType, partType } from './message-parts.ts';
import { ItemPartReaders } from './item-part-reader.ts';
import { multipartBody } from './multipart-body.ts';
import type { MediaType, ReceivedBody, ValidateValue } from './received-body.ts';
import { sequenceBody } from './sequence-body.ts';
import { SharedIterator } from './shared-iterator.ts';
import {
  chunksOf,
  discardFirstChunk,
  hasBody,
  isEmptyBody,
  readWhole,
  requireChunked,
  requireNoBody,
  requireDistinctParameters,
  bodySource,
} from './receive.ts';
import { decodeUtf8, isUtf8 } from './utf8.ts';

const NO_BODY: ReceivedBody = { schemaName: undefined, value: undefined, contentType: undefined };

/**
 * The headers that name the media types of requests: `Accept` (RFC 9110, section 15.5.16), unless
 * the method has its own (RFC 5789, section 3.1; draft-ietf-httpbis-safe-method-w-body, section 3).
 */
const ACCEPT_HEADERS: Readonly<Record<string, string>> = { PATCH: 'Accept-Patch', QUERY: 'Accept-Query' };

/** Reads the request bodies of one operation. */
export class RequestBodyReader {
  readonly #declared: RequestBody | undefined;
  readonly #types: readonly string[];
  readonly #readers: ReadonlyMap<string, MediaTypeReader>;
  readonly #limits: BodyLimits;
  /** The header that names the types. */
  readonly #accept: Readonly<Record<string, string>>;

  readonly #sendsContinue: boolean;
  /** By Content-Type, as sent. */
  readonly #sentTypes = new Map<string, SentType>();

  /** @param sendsContinue whether reading a body sends 100 Continue. */
  constructor({ document }: Contract, { requestBody, method }: Operation, limits: BodyLimits, sendsContinue: boolean) {
    this.#declared = requestBody;
    this.#types = requestBody === undefined ? [] : servedTypes(requestBody.content);
    this.#readers = new Map(
      this.#types.map((type) => [type, new MediaTypeReader(document, type, requestBody?.content[type] ?? {}, limits)]),
    );
    this.#limits = limits;
    this.#sendsContinue = sendsContinue;
    this.#accept = { [ACCEPT_HEADERS[method] ?? 'Accept']: this.#types.join(', ') };
  }

  /**
   * The request body with a schema for one part beside that of each multipart body.
   */
  get schemas(): RequestBody | undefined {
    if (this.#declared === undefined) return undefined;
    const parts = [...this.#readers].flatMap(([type, { parts: readers }]): [string, MediaTypeObject][] =>
      readers === undefined
        ? []
        : [
            // Under a range, the schema is for other bodies too.
            [type, isRange(type) ? (this.#declared?.content[type] ?? {}) : { schema: readers.whole }],
            [partType(type), { schema: readers.schema }],
            [partHeadersType(type), { schema: readers.headers }],
          ],
    );
    return { ...this.#declared, content: { ...this.#declared.content, ...Object.fromEntries(parts) } };
  }

  /** False for a request that has no body, and needs none: there is nothing to receive. */
  isExpected(request: IncomingMessage): boolean {
    return this.#declared !== undefined || hasBody(request);
  }

  /** The memory of a request, made when it takes some at first. */
  memoryOf(exchange: BodyExchange): RequestMemory {
    return (exchange.memory ??= new RequestMemory(this.#limits, exchange.response));
  }

  /**
   * Reads a body up to the value that is validated with the parameters.
   * @param validate validates the parts of a multipart body when they arrive.
   * @param exchange whose memory takes the body.
   * @throws RequestError
   */
  async receiveBody(exchange: BodyExchange, validate: ValidateValue): Promise<ReceivedBody> {
    const { request, response } = exchange;
    if (this.#declared === undefined) {
      if (hasBody(request)) await requireNoBody(request);
      return NO_BODY;
    }
    const { 'content-type': contentType = '', 'content-length': length = 0, expect } = request.headers;
    if (contentType !== '') requireOnce(request, 'Content-Type');
    const { reader, type, kind, hasUtf8, boundary } = this.#sentType(contentType);
    const source = hasBody(request) ? bodySource(request) : request;
    requireChunked(request);
    const isAbsent = hasBody(request)
      ? reader === undefined && contentType === '' && !(await discardFirstChunk(request))
      : reader === undefined || !isEmptyBody(request);
    if (isAbsent) {
      if (this.#declared.required !== true) return NO_BODY;
      const message = `This operation needs a request body of the type ${this.#types.join(' or ')}.`;
      throw refuseBodyAt('', 'required', 'invalidBody', message);
    }
    if (reader?.allowsType(type) !== true) {
      const but = reader === undefined ? '' : reader.allowsText ? ', but not bytes' : ', but not a text or bytes';
      throw unsupported(`The Content-Type must be ${this.#types.join(' or ')}${but}.`, this.#accept);
    }
    const isStream = reader.sequence !== undefined || kind === 'bytes' || kind === 'multipart';
    const isText = BODY_KINDS[kind].isText || (reader.sequence !== undefined && kind !== 'multipart');
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity') {
      throw unsupported('The request body must have no Content-Encoding.', { 'Accept-Encoding': 'identity' });
    }
    if (isText && !hasUtf8) throw unsupported('The request body must be UTF-8.', this.#accept);
    const limit = isStream ? reader.maxLength : kind === 'json' ? this.#limits.json : this.#limits.buffered;
    if (Number(length) > limit) throw bodyTooLarge(limit);
    if (isStream && request.headers['content-length'] !== undefined && Number(length) < reader.minLength) {
      throw bodyTooSmall(reader.minLength);
    }
    const memory = this.memoryOf(exchange);
    if ((kind === 'multipart' && reader.sequence === undefined) || !isStream)
      memory.requireRoom(Math.min(Number(length), this.#limits.buffered));
    // The headers alone may refuse a body before it is sent (RFC 9110, section 10.1.1).
    if (expect !== undefined && this.#sendsContinue) response.writeContinue();
    return reader.receiveContent({ request: source, type, boundary, limit, memory, validate });
  }

  /** @throws RequestError malformedBody for a parameter that occurs twice. */
  #sentType(contentType: string): SentType {
    const known = this.#sentTypes.get(contentType);
    if (known !== undefined) return known;
    requireDistinctParameters(contentType);
    const type = essenceOf(contentType);
    const sent: SentType = {
      reader: this.#readers.get(declaredType(this.#types, contentType) ?? ''),
      type,
      kind: bodyKind(type),
      hasUtf8: isUtf8(contentType),
      boundary: parameterValue(contentType, 'boundary'),
    };
    if (this.#sentTypes.size < MOST_SENT_TYPES && sent.boundary === undefined) this.#sentTypes.set(contentType, sent);
    return sent;
  }
}

/** The most Content-Types that are remembered: clients choose them. */
const MOST_SENT_TYPES = 20;

/** A parsed Content-Type and the reader of its bodies. */
interface SentType {
  readonly reader: MediaTypeReader | undefined;
  /** The media type without parameters. */
  readonly type: string;
  readonly kind: BodyKind;
  readonly hasUtf8: boolean;
  readonly boundary: string | undefined;
}

/** A request whose body is received. */
interface BodyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The caller gives it back when nothing holds the body any more. */
  memory: RequestMemory | undefined;
}

/** A body that is about to be read. */
interface Incoming {
  readonly request: Readable;
  /** Its media type without parameters. */
  readonly type: string;
  readonly boundary: string | undefined;
  /** The most bytes that it may have. */
  readonly limit: number;
  readonly memory: RequestMemory;
  readonly validate: ValidateValue;
}

/** Keywords that assert more of a text than its length. */
const TEXT_KEYWORDS = ['pattern', 'enum', 'const', 'format', 'not', 'if'];

function isAsserted(schema: Schema, keyword: string): boolean {
  return keyword in schema && schema[keyword] !== 'binary';
}

/** Reads the bodies of one declared media type. */
class MediaTypeReader {
  /** The most bytes of a stream. */
  readonly maxLength: number;
  /** The fewest bytes of a stream. */
  readonly minLength: number;
  /** The parts of a multipart body. */
  readonly parts: PartReaders | undefined;
  /** The items of a sequential media type. */
  readonly sequence: Sequence | undefined;
  /** Reads the items that are parts. */
  readonly #itemParts: ItemPartReaders | undefined;
  readonly #declared: string;
  readonly #form: FormReader;
  readonly #limits: BodyLimits;
  /** Whether the schema allows a text. */
  readonly allowsText: boolean;
  /** Whether it allows any text of some length, so that bytes are not more than it allows. */
  readonly #allowsBytes: boolean;
  readonly #text: ValueReader;

  constructor(document: OpenApiDocument, declared: string, mediaType: MediaTypeObject, limits: BodyLimits) {
    const all = alternatives(document, mediaType.schema ?? {});
    const lengths = all.map(({ maxLength }) => (typeof maxLength === 'number' ? maxLength : undefined));
    this.#declared = declared;
    this.#limits = limits;
    this.#form = new FormReader(document, mediaType, FORM_LOCATION);
    this.#text = new ValueReader(document, mediaType.schema, FORM_LOCATION.refuse);
    const texts = all.filter(
      (alternative) => typesOf(alternative).length === 0 || typesOf(alternative).includes('string'),
    );
    this.allowsText = texts.length > 0;
    this.#allowsBytes = texts.some((text) => !TEXT_KEYWORDS.some((keyword) => isAsserted(text, keyword)));
    this.maxLength = lengths.every((length) => length !== undefined) ? Math.max(...lengths) : limits.streamed;
    this.minLength = Math.min(...all.map(({ minLength }) => (typeof minLength === 'number' ? minLength : 0)));
    this.sequence = sequenceOf(document, declared, mediaType);
    this.#itemParts = this.sequence?.parts && new ItemPartReaders(document, this.sequence.parts);
    const isMultipart =
      this.sequence === undefined && (bodyKind(declared) === 'multipart' || essenceOf(declared) === '*/*');
    this.parts = isMultipart ? new PartReaders(document, mediaType) : undefined;
  }

  /** False for texts and bytes where a range such as `*∕*` has a schema of something else. */
  allowsType(type: string): boolean {
    const kind = this.#kindOf(type);
    if (!isRange(this.#declared) || kind === 'json' || BODY_KINDS[kind].hasFields) return true;
    return kind === 'bytes' ? this.#allowsBytes : this.allowsText;
  }

  /** XML is a text under a range of texts; under another one bytes, as any type without schema. */
  #kindOf(type: string): BodyKind {
    const kind = bodyKind(type);
    if (kind !== 'xml' || !isRange(this.#declared)) return kind;
    return essenceOf(this.#declared) === 'text/*' ? 'text' : 'bytes';
  }

  async receiveContent({ request, type, boundary, limit, memory, validate }: Incoming): Promise<ReceivedBody> {
    const kind = this.#kindOf(type);
    const mediaType = { declared: this.#declared, contentType: isRange(this.#declared) ? type : this.#declared };
    if (this.sequence !== undefined) {
      const parts = this.#itemParts && { readers: this.#itemParts, boundary: requiredBoundary(boundary) };
      return sequenceBody(request, this.sequence, { mediaType, limits: this.#limits, memory, validate, parts });
    }
    if (kind === 'bytes') {
      return streamedBody(mediaType, chunksOf(request, limit, this.minLength));
    }
    if (kind === 'multipart' && this.parts !== undefined) {
      const context = { mediaType, readers: this.parts, limits: this.#limits, memory, validate };
      return multipartBody(request, requiredBoundary(boundary), context);
    }
    const bytes = await readWhole(request, limit, memory);
    const text = decodeUtf8(bytes);
    const count = memory.valueCount();
    if (kind === 'json') {
      return { bytes, ...bodyOf(mediaType, readJson(bytes, text, refuseJson('The request body'), count)), count };
    }
    if (kind === 'form') return { bytes, ...bodyOf(mediaType, this.#form.parseForm(text, count)), count };
    return kind !== 'xml' && this.#text.isScalar
      ? { bytes, ...bodyOf(mediaType, this.#text.text(text, '', count)), count }
      : { bytes, ...bodyOf(mediaType, undefined), content: text };
  }
}

/** @throws RequestError malformedBody without a boundary. */
function requiredBoundary(boundary: string | undefined): string {
  if (boundary === undefined) throw malformedBody('The Content-Type must have a boundary.');
  return boundary;
}

/** A body that is one value. */
function bodyOf({ declared, contentType }: MediaType, value: unknown): ReceivedBody {
  return { schemaName: declared, value, contentType };
}

/** A body as a stream of bytes. */
function streamedBody(mediaType: MediaType, bytes: AsyncIterator<Buffer, void>): ReceivedBody {
  const chunks = new SharedIterator(bytes);
  return {
    ...bodyOf(mediaType, undefined),
    // The handler may leave it unread, and then has no listener for its errors.
    content: Readable.from(chunks, { objectMode: false }).on('error', () => undefined),
    finish: async (isStreamed) => {
      if (isStreamed) chunks.requireSound();
      else await chunks.finish();
    },
  };
}

import { headersName, itemType, responseName, responseSchemas } from '../bodies/message-parts.ts';
import { declaredStatus, type ResolvedResponse } from '../document/operations.ts';
import type { Contract, Operation } from '../document/read-contract.ts';
import { bodyKind, declaredType } from '../http/media-type.ts';
import { isObject } from '../schema/openapi-document.ts';
import { NOT_OF_FORMAT } from '../schema/codec.ts';
import { placesOf, type ContractPlaces } from '../schema/contract-places.ts';
import type { Place } from '../schema/places.ts';
import { sequenceOf } from '../schema/sequence.ts';
import type { CustomFormats } from '../schema/custom-formats.ts';
import type { ResponseValue } from './respond.ts';

/** Gives the messages of a contract the values of custom formats, as handlers return them. */
export class DecodedResponses {
  readonly #contract: Contract;
  readonly #places: ContractPlaces;

  constructor(contract: Contract, { codecs }: CustomFormats) {
    this.#contract = contract;
    this.#places = placesOf(contract, codecs);
  }

  /**
   * The body of a response with the values of the formats in it. Streams and bytes stay.
   * @throws FormatError for a text that the author's function cannot decode.
   */
  decodedBody(operation: Operation, { status, contentType, body }: ResponseValue): unknown {
    const { document } = this.#contract;
    const [key, { content = {} }] = declared(operation, status);
    const types = Object.keys(content);
    const mediaType = contentType === undefined ? types[0] : declaredType(types, contentType);
    if (mediaType === undefined) return body;
    const part = responseName(key, mediaType);
    const sequence = sequenceOf(document, mediaType, content[mediaType] ?? {});
    if (sequence !== undefined && Array.isArray(body)) {
      return body.map((item: unknown, index) =>
        decoded(item, this.#placeOf(operation, itemType(part, index, sequence.prefix.length))),
      );
    }
    const place = this.#placeOf(operation, part);
    if (bodyKind(contentType ?? mediaType) === 'json') return decoded(body, place);
    return typeof body === 'string' ? decodedText(body, place) : body;
  }

  /**
   * The headers of a response in which formats are, with their values.
   * @param values JSON values, before they are written.
   * @throws FormatError for a text that the author's function cannot decode.
   */
  decodedHeaders(
    operation: Operation,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    const [key] = declared(operation, status);
    const places = this.#placeOf(operation, headersName(key));
    const found = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const place = places?.propertyPlace(name);
      return place === undefined ? [] : [[name, decoded(value, place)]];
    });
    return Object.fromEntries(found);
  }

  #placeOf(operation: Operation, part: string): Place | undefined {
    return this.#places.encodedPlaceOf(responseSchemas(this.#contract.document, operation)[part]);
  }
}

/** What an operation declares for a status, with its key there. */
function declared(
  { responses }: Operation,
  status: number,
): readonly [key: string, response: Partial<ResolvedResponse>] {
  const key = declaredStatus(responses, status) ?? '';
  return [key, responses[key] ?? {}];
}

/** A copy of a JSON value with the values of the formats in it. */
function decoded(value: unknown, place: Place | undefined): unknown {
  if (place === undefined || value === null) return value;
  if (typeof value === 'string') return orElse(place.decode('texts', value), value);
  if (typeof value === 'number' || typeof value === 'bigint')
    return orElse(place.decode('numbers', String(value)), value);
  if (Array.isArray(value)) return value.map((item: unknown, index) => decoded(item, place.itemPlace(index)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, decoded(member, place.propertyPlace(name))]);
  return Object.fromEntries(members) as unknown;
}

/** A text of another media type than JSON, which may be that of a number. */
function decodedText(text: string, place: Place | undefined): unknown {
  if (place === undefined) return text;
  const value = place.decode('texts', text);
  return value === NOT_OF_FORMAT ? orElse(place.decode('numbers', text), text) : value;
}

function orElse(value: unknown, otherwise: unknown): unknown {
  return value === NOT_OF_FORMAT ? otherwise : value;
}

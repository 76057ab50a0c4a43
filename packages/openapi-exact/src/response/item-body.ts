import { messageOf } from '../errors/errors.ts';
import type { JsonBody } from '../json/json-body.ts';
import { placeInEvent } from '../schema/event-schemas.ts';
import type { Sequence } from '../schema/sequence.ts';
import { stringify } from 'lossless-json';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { PartWriter, withBoundary } from '../http/written-part.ts';
import type { ItemPartWriters, PartCheck } from './item-part-writer.ts';
import { eventText, type ServerSentEvent } from './event-stream.ts';

/** How the items of a body are checked. */
export interface ItemCheck {
  readonly sequence: Sequence;
  /** An item as sent. @throws MismatchError for one that its schema does not describe. */
  readonly checkedItem: (index: number, item: unknown) => JsonBody;
  /** Makes the error of a handler that breaks the contract. */
  readonly mistake: (what: string, cause?: unknown) => Error;
  /** How items that are parts are written and checked. */
  readonly parts:
    | { readonly writers: ItemPartWriters; readonly contentType: string; readonly check: PartCheck }
    | undefined;
}

/**
 * The body of a response that is a stream of items: each is checked when it is its turn, and the
 * text that was checked is sent. An item that does not fit ends the stream before it.
 */
export class ItemBody implements AsyncIterable<unknown> {
  /** The handler's items. */
  readonly source: AsyncIterable<unknown>;
  /** The Content-Type with the boundary of a multipart body; undefined for any other. */
  readonly contentType: string | undefined;
  readonly #check: ItemCheck;
  readonly #parts: PartWriter | undefined;
  #index = 0;

  /** @throws TypeError for a boundary that no multipart body has. */
  constructor(source: AsyncIterable<unknown>, check: ItemCheck) {
    this.source = source;
    this.#check = check;
    const multipart = check.parts && withBoundary(check.parts.contentType);
    this.contentType = multipart?.contentType;
    this.#parts = multipart && new PartWriter(multipart.boundary);
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return this.source[Symbol.asyncIterator]();
  }

  /** The text or bytes of the next item. @throws InvalidResponseError. */
  readonly writeItem = (item: unknown): string | Uint8Array => {
    const { sequence, mistake } = this.#check;
    if (this.#index >= sequence.maxItems) throw mistake(`with more than ${sequence.maxItems} items.`);
    try {
      return this.#writtenItem(item);
    } catch (cause) {
      const what = `with an item ${this.#index} that is not as the contract describes it`;
      throw mistake(`${what}: ${messageOf(cause)}.`, cause);
    }
  };

  /** The end behind the last item. @throws InvalidResponseError for a stream that ends too soon. */
  readonly writeEnd = (): string | Uint8Array => {
    const { sequence, mistake } = this.#check;
    if (this.#index < sequence.minItems) throw mistake(`with less than ${sequence.minItems} items.`);
    return this.#parts?.endBytes() ?? '';
  };

  #eventText(item: unknown): string {
    const { sequence, checkedItem } = this.#check;
    const { jsonData } = sequence;
    const check = (event: unknown): ServerSentEvent => checkedItem(this.#index, event).value as ServerSentEvent;
    if (jsonData === undefined || typeof item !== 'object' || item === null) return eventText(check(item));
    const { event: name, data } = item as ServerSentEvent;
    const isNamed = Array.isArray(jsonData) && name !== undefined && jsonData.includes(name);
    const isText = Array.isArray(jsonData) ? !isNamed : jsonData === 'some' && typeof data === 'string';
    try {
      if (isText) return eventText(check(item));
    } catch (error) {
      if (jsonData !== 'some') throw error;
    }
    try {
      const event = check(withJson(item));
      const { json } = event.data as { readonly json: unknown };
      return eventText({ ...event, data: stringify(json) });
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const { place, keyword, limits } = error;
      throw new MismatchError({ place: placeInEvent(place), keyword, limits });
    }
  }

  #writtenItem(item: unknown): string | Uint8Array {
    const { sequence, checkedItem, parts } = this.#check;
    const { format } = sequence;
    if (parts !== undefined && this.#parts !== undefined) {
      const bytes = this.#parts.partBytes(parts.writers.writtenPart(this.#index, item, parts.check));
      this.#index += 1;
      return bytes;
    }
    // An event without fields keeps the connection open, and no client sees it.
    if (format === 'events' && isEmpty(item)) return eventText({});
    const text = format === 'events' ? this.#eventText(item) : `${checkedItem(this.#index, item).text}\n`;
    this.#index += 1;
    return format === 'records' ? `\x1e${text}` : text;
  }
}

/** Data as checked, where it is the value of JSON. */
function withJson(event: object): object {
  return 'data' in event ? { ...event, data: { json: event.data } } : event;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

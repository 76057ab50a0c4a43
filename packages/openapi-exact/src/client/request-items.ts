import type { SequenceFormat } from '../http/media-type.ts';
import { writtenEvent, type EventFields } from '../http/written-event.ts';
import { isJsonData } from './event-data.ts';
import type { MediaShape } from './shape.ts';

/** What the items of a request are written with. */
interface ItemWriting {
  readonly format: SequenceFormat | undefined;
  readonly jsonData: MediaShape['jsonData'];
  /** The JSON value of an item. @throws TypeError or RangeError with the name of the item. */
  readonly encodeItem: (item: unknown, index: number, name: string) => unknown;
  readonly exactJson: (value: unknown) => string;
}

/** Writes the items of one request body, in turn. */
export interface BodyWriter {
  /** @throws TypeError or RangeError with the name of the item. */
  itemBytes(item: unknown): Uint8Array<ArrayBuffer>;
  /** What stands behind the last item. */
  endBytes(): Uint8Array<ArrayBuffer>;
}

const ENCODER = new TextEncoder();

/** Writes items that are texts. */
export class ItemWriter implements BodyWriter {
  readonly #writing: ItemWriting;
  #index = 0;

  constructor(writing: ItemWriting) {
    this.#writing = writing;
  }

  itemBytes(item: unknown): Uint8Array<ArrayBuffer> {
    return ENCODER.encode(this.itemText(item));
  }

  endBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array();
  }

  /** The text of the next item. @throws TypeError, and what `encodeItem` throws. */
  itemText(item: unknown): string {
    const name = `body[${this.#index}]`;
    if (item === undefined) throw new TypeError(`${name} must not be undefined: leave the item out.`);
    const { format, encodeItem, exactJson } = this.#writing;
    const encoded = encodeItem(item, this.#index, name);
    this.#index += 1;
    if (format === 'events') return this.#eventText(encoded, name);
    return format === 'records' ? `\x1e${exactJson(encoded)}\n` : `${exactJson(encoded)}\n`;
  }

  #eventText(given: unknown, name: string): string {
    if (typeof given !== 'object' || given === null)
      throw new TypeError(`${name} must be an event such as { data: 'text' }.`);
    // As the contract's types have it, in which data is unknown here.
    const { data, ...fields } = given as EventFields & { readonly data?: unknown };
    const { jsonData, exactJson } = this.#writing;
    if (isJsonData(jsonData, fields.event, () => typeof data !== 'string'))
      return writtenEvent({ ...fields, data: exactJson(data) });
    if (typeof data !== 'string') throw new TypeError(`${name}.data must be a text.`);
    return writtenEvent({ ...fields, data });
  }
}

/** The items of a request body that is sent as they come, once. */
export class RequestItems {
  /** The error of an item, or of what makes them. */
  failure: { readonly cause: unknown } | undefined;
  /** Whether an item was asked for, or none will be, so that the body cannot be sent again. */
  isBegun = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  readonly #items: AsyncIterator<unknown, unknown>;
  readonly #writer: BodyWriter;

  constructor(items: AsyncIterable<unknown>, writer: BodyWriter) {
    this.#items = items[Symbol.asyncIterator]();
    this.#writer = writer;
  }

  /** Ends the body, since the response is complete. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.error(new Error('The response came before the end of the request.'));
    void this.#end();
  }

  /** The bytes of the body, which ask for an item when they are asked for. */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          this.isBegun = true;
          try {
            const { done, value } = await this.#items.next();
            if (this.#isOver) return;
            this.#isOver = done === true;
            const bytes = done === true ? this.#writer.endBytes() : this.#writer.itemBytes(value);
            if (bytes.length > 0) controller.enqueue(bytes);
            if (done === true) controller.close();
          } catch (cause) {
            if (this.#isOver) return;
            this.#isOver = true;
            this.failure = { cause };
            controller.error(cause);
            await this.#end();
          }
        },
        cancel: () => {
          this.isBegun = true;
          this.#isOver = true;
          return this.#end();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #end(): Promise<void> {
    try {
      await this.#items.return?.();
    } catch {
      // The request is over, so the failure has no reader.
    }
  }
}

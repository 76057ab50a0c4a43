import type { SequenceFormat } from '../http/media-type.ts';
import { isTruncated, splitEvents, splitLines, splitRecords } from '../http/split-items.ts';
import type { Place } from '../schema/places.ts';
import type { MediaShape } from './shape.ts';
import { isJsonData } from './event-data.ts';

/** What the items of a response are read with. */
export interface ItemReading {
  readonly format: SequenceFormat | undefined;
  /** The place of an array of all items. */
  readonly place: Place | undefined;
  readonly jsonData: MediaShape['jsonData'];
  /** The most bytes of an item. */
  readonly limit: number;
  /** Makes the error for an item that the contract does not describe; `what` ends its sentence. */
  readonly mistake: (what: string) => Error;
  /** The value of an item's JSON. @throws the error of `mistake`. */
  readonly parseItem: (json: string, index: number, place: Place | undefined) => unknown;
}

/** Events are decoded line by line: a byte order mark is removed in front of the first one only. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The items of a sequential media type as they arrive. Ending the iteration cancels the stream.
 * @throws the error of `mistake`, and that of the stream.
 */
export async function* readItems(
  stream: ReadableStream<Uint8Array>,
  { format, place, jsonData, limit, mistake, parseItem }: ItemReading,
): AsyncGenerator<unknown, void> {
  let index = 0;
  const hold = (bytes: number): void => {
    if (bytes > limit) throw mistake(`has an item ${index} of more than ${limit} bytes.`);
  };
  const chunks = chunksOf(stream);
  if (format === 'events') {
    for await (const event of splitEvents(chunks, hold, (bytes) => DECODER.decode(bytes))) {
      const dataPlace = place?.itemPlace(index)?.propertyPlace('data');
      const isJson = isJsonData(jsonData, event.event, () => /^\s*[[{]/.test(event.data));
      yield isJson ? { ...event, data: parseItem(event.data, index, dataPlace) } : event;
      index += 1;
    }
    return;
  }
  const refuse = (): Error => mistake('does not begin with a record separator.');
  for await (const text of format === 'records' ? splitRecords(chunks, hold, refuse) : splitLines(chunks, hold)) {
    if (format === 'records' && isTruncated(text)) throw mistake(`has an item ${index} without its end.`);
    yield parseItem(DECODER.decode(text), index, place?.itemPlace(index));
    index += 1;
  }
}

/** The chunks of a stream. Not every browser iterates over streams. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Of a stream that has ended or failed, it does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

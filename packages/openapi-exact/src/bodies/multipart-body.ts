import { Readable } from 'node:stream';
import { partType } from './message-parts.ts';
import type { RequestMemory } from './request-memory.ts';
import type { Part } from './part-readers.ts';
import { MultipartParser } from './multipart-parser.ts';
import { CollectedBytes } from './collected-bytes.ts';
import { chunksOf } from './receive.ts';
import type { ReceivedBody } from './received-body.ts';
import { PartCollector } from './part-collector.ts';
import { readParts, type ArrivingPart, type MultipartContext } from './read-parts.ts';
import { SharedIterator } from './shared-iterator.ts';

/**
 * A multipart body. One of up to `limits.buffered` bytes is read as a whole and validated before
 * the handler gets its parts. A larger one is streamed: each part is validated when it arrives and
 * the whole at the end, which throws inside the handler's iteration.
 */
export async function multipartBody(
  request: Readable,
  boundary: string,
  context: Omit<MultipartContext, 'isWhole'>,
): Promise<ReceivedBody> {
  const { mediaType, limits, memory } = context;
  const { declared, contentType } = mediaType;
  const { isWhole, chunks } = await readAhead(chunksOf(request, limits.streamed), limits.buffered, memory);
  const collector = new PartCollector(context.readers, limits, memory);
  const arriving = readParts(new MultipartParser(chunks, boundary), collector, { ...context, isWhole });
  if (isWhole) {
    const parts = new SharedIterator<Part>(Readable.from(await bufferedParts(arriving))[Symbol.asyncIterator]());
    const [value, count] = [collector.object(), collector.wholeCount];
    return { schemaName: declared, value, count, contentType, content: parts, finish: () => parts.finish() };
  }
  const validateWhole = (): unknown => context.validate(declared, collector.object(), collector.wholeCount);
  const parts = new SharedIterator<Part>(streamedParts(arriving, validateWhole));
  const schemaName = partType(declared);
  return { schemaName, value: NO_PARTS_YET, contentType, content: parts, finish: () => parts.finish() };
}

/**
 * Replaces a body that is unknown before its end, so that the parameters are validated
 * before the handler is called: the schema for one part requires none.
 */
const NO_PARTS_YET = {};

/** All parts, with the bytes of files in memory. */
async function bufferedParts(arriving: AsyncIterable<ArrivingPart>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const { content, ...part } of arriving) {
    if (content === undefined) parts.push(part);
    else parts.push({ ...part, body: readableOf(await joined(content)) });
  }
  return parts;
}

/** Hands the parts over as they arrive, and validates the whole at the end. */
async function* streamedParts(
  arriving: AsyncIterable<ArrivingPart>,
  validateWhole: () => unknown,
): AsyncGenerator<Part, void> {
  for await (const { content, ...part } of arriving) {
    if (content === undefined) {
      yield part;
      continue;
    }
    const body = Readable.from(content, { objectMode: false });
    // The handler may leave it unread, and then has no listener for its errors.
    body.on('error', () => undefined);
    yield { ...part, body };
  }
  validateWhole();
}

async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected = new CollectedBytes();
  for await (const chunk of chunks) collected.addChunk(chunk);
  return collected.takeBytes();
}

/** A stream of bytes that are in memory: a body may have many. */
function readableOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes);
      this.push(null);
    },
  });
}

/**
 * Reads until there are more bytes than `limit`.
 * @returns whether these are all, and all chunks again.
 */
async function readAhead(
  laterChunks: AsyncGenerator<Buffer, void>,
  limit: number,
  memory: RequestMemory,
): Promise<{ isWhole: boolean; chunks: AsyncIterable<Buffer> }> {
  const readBytes = new CollectedBytes();
  let isWhole = false;
  for (let size = 0; size <= limit && !isWhole;) {
    const { done, value } = await laterChunks.next();
    if (done === true) isWhole = true;
    else {
      memory.addBytes(value.length);
      readBytes.addChunk(value);
      size += value.length;
    }
  }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield readBytes.takeBytes();
    yield* laterChunks;
  }
  return { isWhole, chunks: chunks() };
}

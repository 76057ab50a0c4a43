import { copyJson } from '../json/copy-json.ts';
import { essenceOf } from '../http/media-type.ts';
import { CollectedBytes } from './collected-bytes.ts';
import { malformedBody } from './body-refusals.ts';
import type { BodyLimits } from './limits.ts';
import { partHeadersType, partType } from './message-parts.ts';
import type { MultipartParser, PartHead } from './multipart-parser.ts';
import type { PartCollector } from './part-collector.ts';
import type { Part, PartReader, PartReaders } from './part-readers.ts';
import type { MediaType, ValidateValue } from './received-body.ts';
import type { RequestMemory } from './request-memory.ts';

/** The readers and limits for a multipart body. */
export interface MultipartContext {
  readonly mediaType: MediaType;
  readonly readers: PartReaders;
  readonly limits: BodyLimits;
  readonly memory: RequestMemory;
  readonly validate: ValidateValue;
  /** Whether all parts are kept at once. */
  readonly isWhole: boolean;
}

/** A part, with the bytes of a file as they arrive. */
export interface ArrivingPart extends Part {
  readonly content?: AsyncIterable<Buffer>;
}

/**
 * Reads the parts of a body as they arrive, and those that fields make together at the end. The
 * rest of a file is skipped before the next part.
 * @param collector keeps what makes the object that the schema of the body describes.
 * @throws RequestError for a part that the contract does not allow.
 */
export async function* readParts(
  parser: MultipartParser,
  collector: PartCollector,
  context: MultipartContext,
): AsyncGenerator<ArrivingPart, void> {
  const { readers, mediaType, memory, isWhole } = context;
  const { count } = collector;
  const isForm = essenceOf(mediaType.contentType) === 'multipart/form-data';
  for (let unnamed = await parser.nextPart(); unnamed !== undefined; unnamed = await parser.nextPart()) {
    if (isForm) requireFormName(unnamed);
    // A form alone requires parts to be named.
    const name = readers.propertyName(isForm ? unnamed.name : readers.names.partName(unnamed));
    const head = { ...unnamed, name };
    const reader = readers.readerOf(name, count);
    // Parts with a style are texts, whatever their media type is (OpenAPI 3.1.1, section 4.8.15).
    const isFile = !readers.isStyled(name) && reader.takesFile(head);
    collector.addPart(name, isFile);
    const { filename, headers } = head;
    // Browsers send an input without a file so (HTML standard, section 4.10.22.4).
    if (isForm && isFile && filename === '' && (await parser.isEmpty())) continue;
    if (isWhole) memory.addPart(headers, isFile);
    const contentType = reader.contentType(head);
    validateHeaders(head, reader, collector, context);
    const part = { name, ...(filename === undefined ? {} : { filename }), contentType, headers };
    if (isFile) {
      // Of this part, also when the next one is asked for before it is read.
      const content = parser.partContent();
      yield { ...part, content: sizedBytes(content, name, reader) };
      const size = await parser.skip();
      reader.requireSize(name, size);
      collector.addFile(name, size);
    } else {
      const value = collector.addField(name, await fieldBytes(parser, collector), contentType);
      if (readers.isProperty(name)) yield* exactFields({ ...part, value }, collector, context);
    }
  }
  for (const part of collector.composedParts()) yield* exactFields(part, collector, context);
}

/** @throws RequestError for a part of a form without its name. */
function requireFormName({ type, name }: PartHead): void {
  if (name !== '' && type === 'form-data') return;
  const message =
    'Each part of a form must have the Content-Disposition form-data with a name (RFC 7578, section 4.2).';
  throw malformedBody(message);
}

/** @throws RequestError for headers that are not as the contract describes them. */
function validateHeaders(
  { name, headers }: PartHead,
  reader: PartReader,
  { count }: PartCollector,
  { validate, mediaType }: MultipartContext,
): void {
  if (!reader.headers.isDeclared) return;
  validate(partHeadersType(mediaType.declared), { [name]: reader.headers.headerValues(headers, count) }, count);
}

/** The bytes of a field. */
async function fieldBytes(parser: MultipartParser, collector: PartCollector): Promise<Buffer> {
  const collected = new CollectedBytes();
  for await (const chunk of parser.partContent()) {
    collector.keepBytes(chunk.length);
    collected.addChunk(chunk);
  }
  return collected.takeBytes();
}

/** The bytes of a file. @throws RequestError bodyTooLarge when its schema allows fewer. */
async function* sizedBytes(
  content: AsyncIterable<Buffer>,
  name: string,
  reader: PartReader,
): AsyncGenerator<Buffer, void> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    reader.requireSize(name, size);
    yield chunk;
  }
}

/** The fields of a part, with exact values that are valid: one for each item of a list. */
function exactFields(
  part: Part,
  { count }: PartCollector,
  { readers, mediaType, validate }: MultipartContext,
): readonly Part[] {
  // Completed in place: the whole is checked as it was sent.
  const sent = { [part.name]: copyJson(part.value) };
  const { body } = validate(partType(mediaType.declared), sent, count);
  // An object is completed in place: it is one still.
  const value = (body as Record<string, unknown>)[part.name];
  const values: readonly unknown[] =
    readers.readerOf(part.name, count).isFlat && Array.isArray(value) ? value : [value];
  return values.map((item) => ({ ...part, value: item }));
}

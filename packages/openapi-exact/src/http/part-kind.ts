import { bodyKind, essenceOf, isRange } from './media-type.ts';

/** How the content of a part is read and written: `parts` is a multipart body within it. */
export type PartKind = 'json' | 'text' | 'xml' | 'bytes' | 'parts';

/** What decides how the parts at a position are read. */
export interface PartReading {
  /** Whether a multipart body within it is described. */
  readonly hasParts: boolean;
  /** Whether bytes are a text by the `contentEncoding` of their schema, such as base64. */
  readonly isEncoded: boolean;
}

/** Ranges of media types that have texts among others. */
const WITH_TEXTS = ['*/*', 'application/*', 'text/*'];

/**
 * The kind of a part. XML is a text where the contract names it, and bytes under a range other than
 * one of texts, as a whole body is.
 * @param declared the media type or range of the contract that describes `mediaType`.
 */
export function partKind({ hasParts, isEncoded }: PartReading, declared: string, mediaType: string): PartKind {
  const range = isRange(declared) ? essenceOf(declared) : undefined;
  const kind = bodyKind(mediaType);
  if (kind === 'multipart' && hasParts) return 'parts';
  const isOfBytes = range !== undefined && !WITH_TEXTS.includes(range) && !range.includes('+');
  if (isOfBytes || kind === 'bytes' || kind === 'multipart') return isEncoded ? 'text' : 'bytes';
  if (kind === 'json') return 'json';
  if (kind === 'xml') return range === undefined ? 'xml' : range === 'text/*' ? 'text' : 'bytes';
  return 'text';
}

/** All kinds that the parts of a position may have. @param mediaTypes those of the contract. */
export function partKinds(reading: PartReading, mediaTypes: readonly string[]): ReadonlySet<PartKind> {
  return new Set(
    mediaTypes.flatMap((declared) => samplesOf(declared).map((type) => partKind(reading, declared, type))),
  );
}

/** Media types of each kind that a media type or range includes. */
function samplesOf(declared: string): readonly string[] {
  const essence = essenceOf(declared);
  if (!isRange(declared)) return [declared];
  if (essence === '*/*') return ['application/json', 'text/plain', 'application/octet-stream', 'multipart/mixed'];
  if (essence === 'application/*') return ['application/json', 'application/octet-stream'];
  return [essence.replace('*', 'x-any')];
}

/** The media types of values of each kind under a range of all. */
const ANY_TYPE = { bytes: 'application/octet-stream', text: 'text/plain', json: 'application/json' } as const;

/**
 * The media type of a value that names none: the one of those declared that such a value can have.
 * A text is one of a text rather than of JSON.
 * @returns undefined where several, or none, are as good.
 */
export function typeOfValue(reading: PartReading, mediaTypes: readonly string[], value: unknown): string | undefined {
  const kinds: readonly PartKind[] =
    value instanceof Uint8Array
      ? ['bytes']
      : typeof value === 'object' && value !== null
        ? Array.isArray(value) && reading.hasParts
          ? ['parts', 'json']
          : ['json']
        : ['text', 'xml', 'json'];
  const named = mediaTypes.filter((type) => !isRange(type));
  for (const kind of kinds) {
    const [type, ...others] = named.filter((mediaType) => partKind(reading, mediaType, mediaType) === kind);
    if (others.length > 0) return undefined;
    if (type !== undefined) return type;
  }
  const [kind] = kinds;
  const isAny = mediaTypes.some((type) => essenceOf(type) === '*/*');
  return isAny && (kind === 'bytes' || kind === 'text' || kind === 'json') ? ANY_TYPE[kind] : undefined;
}

/** What the bodies of a kind have in common. */
interface BodyTraits {
  /** A text, which is decoded as a whole; others are read in pieces. */
  readonly isText: boolean;
  /** Whether a message without content may have such a body. */
  readonly mayBeEmpty: boolean;
  /** Whether its schema describes fields or parts, by their names. */
  readonly hasFields: boolean;
  /** Whether it has no JSON value: only a schema of a string describes it. */
  readonly isOpaque: boolean;
}

/** The kinds of bodies: how a media type is read and written. */
export const BODY_KINDS = {
  json: { isText: true, mayBeEmpty: false, hasFields: false, isOpaque: false },
  form: { isText: true, mayBeEmpty: true, hasFields: true, isOpaque: false },
  multipart: { isText: false, mayBeEmpty: false, hasFields: true, isOpaque: false },
  events: { isText: true, mayBeEmpty: true, hasFields: false, isOpaque: false },
  text: { isText: true, mayBeEmpty: true, hasFields: false, isOpaque: false },
  xml: { isText: true, mayBeEmpty: false, hasFields: false, isOpaque: true },
  bytes: { isText: false, mayBeEmpty: true, hasFields: false, isOpaque: true },
} as const satisfies Readonly<Record<string, BodyTraits>>;

/** A kind of bodies. */
export type BodyKind = keyof typeof BODY_KINDS;

/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** True for JSON, such as `application/problem+json; charset=utf-8`. */
export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essenceOf(mediaType));
}

/** The kind of a media type; a structured suffix decides (RFC 6838, section 4.2.8). */
export function bodyKind(mediaType: string): BodyKind {
  const essence = essenceOf(mediaType);
  if (isJson(essence)) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (/^(?:application|text)\/(?:.+\+)?xml$/.test(essence)) return 'xml';
  if (essence === 'text/event-stream') return 'events';
  return essence.startsWith('text/') ? 'text' : 'bytes';
}

/** How the items of a sequential media type (OpenAPI 3.2, section 4.14.4) are distinguished. */
export type SequenceFormat = 'lines' | 'records' | 'events' | 'parts';

/** The unregistered media types of JSON Lines and NDJSON. */
const JSON_LINES = ['jsonl', 'x-jsonl', 'jsonlines', 'x-jsonlines', 'json-lines', 'ndjson', 'x-ndjson'];

/** The format of a sequential media type; undefined for any other, and for a range. */
export function sequenceFormat(mediaType: string): SequenceFormat | undefined {
  const essence = essenceOf(mediaType);
  if (JSON_LINES.some((subtype) => essence === `application/${subtype}`)) return 'lines';
  if (essence === 'application/json-seq' || essence.endsWith('+json-seq')) return 'records';
  if (essence === 'text/event-stream') return 'events';
  const isNameless = essence.startsWith('multipart/') && essence !== 'multipart/form-data';
  return isNameless && !isRange(mediaType) ? 'parts' : undefined;
}

/** True for a key such as `image/*` or `application/*+json`, a range of media types. */
export function isRange(mediaType: string): boolean {
  return /\/\*(?:\+|$)/.test(essenceOf(mediaType));
}

/** The media types that are served: XML is not where JSON is an alternative to it. */
export function servedTypes(content: Readonly<Record<string, unknown>>): readonly string[] {
  const types = Object.keys(content);
  return types.some((type) => bodyKind(type) === 'json') ? types.filter((type) => bodyKind(type) !== 'xml') : types;
}

/**
 * One media type (RFC 9110, section 8.3.1) with at most 100 parameters, but not a range. A comma
 * begins another one, and browsers take the last of several.
 */
const MEDIA_TYPE = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+[ \t]*(?:;(?:[^",;]|"(?:[^"\\]|\\.)*")*){0,100}$/;

/**
 * The declared media type that describes a message: the same one, or else the narrowest range
 * (OpenAPI 3.1, "Response Object"); undefined for a malformed one. Its parameters are a set, of
 * which the message may have more or fewer, but none with another value; the most equal ones win.
 * @param given what `givenType` returns for it, where it is compared with several lists.
 */
export function declaredType(types: readonly string[], mediaType: string, given?: GivenType): string | undefined {
  if (types.includes(mediaType) && !isRange(mediaType)) return mediaType;
  const { essences, parameters } = given ?? givenType(mediaType);
  const parameterRank = (type: string): number => {
    const declared = [...distinguishingParameters(type)];
    if (declared.some(([name, value]) => (parameters.get(name) ?? value) !== value)) return -1;
    return declared.filter(([name]) => parameters.has(name)).length + 1 / (declared.length + 1);
  };
  return essences.flatMap((wanted) =>
    types
      .filter((type) => essenceOf(type) === wanted && parameterRank(type) >= 0)
      // toSorted is too new for the browsers of some.
      .sort((first, second) => parameterRank(second) - parameterRank(first)),
  )[0];
}

/** The media type of a message, as compared with declared ones. */
interface GivenType {
  /** The types that may describe it, the narrowest first, without parameters. */
  readonly essences: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads the media type of a message. Nothing describes a malformed one. */
export function givenType(mediaType: string): GivenType {
  // A message without a Content-Type is in the range of all.
  if (mediaType !== '' && !MEDIA_TYPE.test(mediaType)) return { essences: [], parameters: new Map() };
  const essence = essenceOf(mediaType);
  const range = `${essence.slice(0, essence.indexOf('/'))}/*`;
  // ASP.NET declares the types with a suffix so (RFC 6838, section 4.2.8).
  const suffixed = essence.includes('+') ? [`${range}${essence.slice(essence.lastIndexOf('+'))}`] : [];
  return { essences: [essence, ...suffixed, range, '*/*'], parameters: distinguishingParameters(mediaType) };
}

/** Parameters that say how the bytes of a media type are read. */
const OF_BYTES = ['charset', 'boundary'];

/** The parameters that tell a media type apart, by name; values in lower case. */
function distinguishingParameters(mediaType: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of mediaTypeParameters(mediaType)) {
    if (OF_BYTES.includes(name) || parameters.has(name)) continue;
    parameters.set(name, value.toLowerCase());
  }
  return parameters;
}

/** The value of a parameter of a media type; of several, the first. The name is in lower case. */
export function parameterValue(mediaType: string, name: string): string | undefined {
  return mediaTypeParameters(mediaType).find(([known]) => known === name)?.[1];
}

/** A parameter: its name in lower case, its value without quotes. */
type MediaTypeParameter = readonly [name: string, value: string];

/** A name, and what follows its equals sign: a text in quotes, or a token. */
const PARAMETER = /;([^;=]*)=[ \t]*(?:"([^"\\]*(?:\\.[^"\\]*)*)|([^;]*))/gs;

/** The parameters of a media type (RFC 9110, section 5.6.6), each as often as it occurs. */
export function mediaTypeParameters(mediaType: string): readonly MediaTypeParameter[] {
  return [...mediaType.matchAll(PARAMETER)].map(([, name = '', quoted, token = '']) => [
    name.trim().toLowerCase(),
    quoted?.replaceAll(/\\(.)/gs, '$1') ?? token.trim(),
  ]);
}

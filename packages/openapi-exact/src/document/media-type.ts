/** How the bodies of a media type are read and written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'events' | 'text' | 'xml' | 'bytes';

/** A media type without its parameters, in lower case. */
export function essenceOf(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end === -1 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** The kind of a media type; a structured suffix decides (RFC 6838, section 4.2.8). */
export function bodyKind(mediaType: string): BodyKind {
  const essence = essenceOf(mediaType);
  if (essence.endsWith('/json') || essence.endsWith('+json')) return 'json';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (/^(?:application|text)\/(?:.+\+)?xml$/.test(essence)) return 'xml';
  if (essence === 'text/event-stream') return 'events';
  return essence.startsWith('text/') ? 'text' : 'bytes';
}

/** True for a key such as `image/*` or `application/*+json`, which stands for many media types. */
export function isRange(mediaType: string): boolean {
  return /\/\*(?:\+|$)/.test(essenceOf(mediaType));
}

/** The media types that are served: XML is not where JSON is an alternative to it. */
export function servedTypes(content: Readonly<Record<string, unknown>>): readonly string[] {
  const types = Object.keys(content);
  return types.some((type) => bodyKind(type) === 'json') ? types.filter((type) => bodyKind(type) !== 'xml') : types;
}

/**
 * A media type (RFC 9110, section 8.3.1), which is no range. A comma begins another one: browsers
 * take the last of several.
 */
const MEDIA_TYPE = /^[\w!#$%&'+.^`|~-]+\/[\w!#$%&'+.^`|~-]+[ \t]*(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?$/;

/** The parameters of a media type that tell it apart, by name; values in lower case. */
type ParametersOf = (mediaType: string) => ReadonlyMap<string, string>;

/**
 * The declared media type that describes a message: the same one, or else the narrowest range
 * (OpenAPI 3.1, "Response Object"); undefined for a malformed one. Its parameters are a set, of which the message may have more or
 * fewer, but none with another value; the most equal ones win.
 */
export function closestType(
  types: readonly string[],
  mediaType: string,
  parametersOf: ParametersOf,
): string | undefined {
  if (types.includes(mediaType) && !isRange(mediaType)) return mediaType;
  // A message without a Content-Type is in the range of all.
  if (mediaType !== '' && !MEDIA_TYPE.test(mediaType)) return undefined;
  const essence = essenceOf(mediaType);
  const range = `${essence.slice(0, essence.indexOf('/'))}/*`;
  // ASP.NET declares the types with a suffix so (RFC 6838, section 4.2.8).
  const suffixed = essence.includes('+') ? [`${range}${essence.slice(essence.lastIndexOf('+'))}`] : [];
  let parameters: ReadonlyMap<string, string> | undefined;
  // A message may have many, of which most contracts declare none.
  const given = (): ReadonlyMap<string, string> => (parameters ??= parametersOf(mediaType));
  const parameterRank = (type: string): number => {
    const declared = [...parametersOf(type)];
    if (declared.some(([name, value]) => (given().get(name) ?? value) !== value)) return -1;
    return declared.filter(([name]) => given().has(name)).length + 1 / (declared.length + 1);
  };
  return [essence, ...suffixed, range, '*/*'].flatMap((wanted) =>
    types
      .filter((type) => essenceOf(type) === wanted && parameterRank(type) >= 0)
      // toSorted is too new for the browsers of some.
      .sort((first, second) => parameterRank(second) - parameterRank(first)),
  )[0];
}

/** The names of the parameters of a media type in lower case, each as often as it occurs. */
export function parameterNames(mediaType: string): readonly string[] {
  const names: string[] = [];
  let start = mediaType.length;
  let isQuoted = false;
  for (let at = mediaType.indexOf(';'); at !== -1 && at < mediaType.length; at += 1) {
    const char = mediaType[at];
    if (isQuoted) {
      if (char === '\\') at += 1;
      isQuoted = char !== '"';
    } else if (char === ';') start = at + 1;
    else if (char === '=' && start <= at) {
      names.push(mediaType.slice(start, at).trim().toLowerCase());
      start = mediaType.length;
      while (mediaType[at + 1] === ' ' || mediaType[at + 1] === '\t') at += 1;
      isQuoted = mediaType[at + 1] === '"';
      if (isQuoted) at += 1;
    }
  }
  return names;
}

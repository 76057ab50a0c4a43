import { essenceOf, isObject, nearest, type Bundle, type Diagnostic } from 'openapi-exact/contract';

/** The HTTP Authentication Scheme Registry of IANA. */
const HTTP_SCHEMES = [
  ...['basic', 'bearer', 'concealed', 'digest', 'dpop', 'gnap', 'hoba', 'mutual', 'negotiate', 'oauth'],
  ...['privatetoken', 'scram-sha-1', 'scram-sha-256', 'vapid'],
];

/**
 * The types of media types with their usual subtypes. Short subtypes, such as xml and png, resemble
 * too many others.
 */
const SUBTYPES: Readonly<Record<string, readonly string[]>> = {
  application: [
    ...['json', 'javascript', 'octet-stream', 'x-www-form-urlencoded', 'problem+json', 'merge-patch+json'],
    'json-patch+json',
  ],
  audio: [],
  font: [],
  image: [],
  message: [],
  model: [],
  multipart: ['form-data', 'mixed', 'related'],
  text: ['plain', 'html', 'event-stream', 'markdown'],
  video: [],
};

/** Subtypes that resemble json. */
const OTHER_SUBTYPES = ['bson', 'cjson', 'hjson', 'json5', 'jsonc', 'jsonl', 'jsonp', 'ndjson', 'ubjson'];

/** Kinds of objects whose `content` has media types as keys. */
const KINDS_WITH_CONTENT = ['parameter', 'header', 'requestBody', 'response'] as const;

/**
 * Warnings of names that differ in a letter or two from a common one: schemes of HTTP
 * authentication and media types. Other unknown names are taken for custom ones.
 */
export function misspeltNames({ nodes }: Pick<Bundle, 'nodes'>): readonly Diagnostic[] {
  const contents = KINDS_WITH_CONTENT.flatMap((kind) => nodes.get(kind) ?? []).map(({ content }) => content);
  return [
    ...(nodes.get('securityScheme') ?? []).flatMap(misspeltScheme),
    ...contents.filter(isObject).flatMap(misspeltMediaTypes),
  ];
}

function misspeltScheme(node: Record<string, unknown>): Diagnostic[] {
  const { type, scheme } = node;
  if (type !== 'http' || typeof scheme !== 'string' || HTTP_SCHEMES.includes(scheme.toLowerCase())) return [];
  const meant = nearest(scheme, HTTP_SCHEMES);
  if (meant === undefined) return [];
  const reason = `${scheme} is not a registered scheme of HTTP authentication. Did you mean ${meant}?`;
  return [{ node, key: 'scheme', reason }];
}

function misspeltMediaTypes(content: Record<string, unknown>): Diagnostic[] {
  return Object.keys(content).flatMap((key): Diagnostic[] => {
    const meant = meantMediaType(essenceOf(key));
    if (meant === undefined || meant in content) return [];
    return [{ node: content, key, reason: `${key} is not a registered media type. Did you mean ${meant}?` }];
  });
}

/** The media type that was probably meant; undefined when the written one may be right. */
function meantMediaType(mediaType: string): string | undefined {
  const [type = '', subtype = ''] = mediaType.split('/');
  const known = Object.hasOwn(SUBTYPES, type) ? type : nearest(type, Object.keys(SUBTYPES));
  if (known === undefined || subtype === '' || subtype.includes('*')) return undefined;
  const meant = isOwn(subtype) ? subtype : (nearest(subtype, similarTo(subtype, known)) ?? subtype);
  return `${known}/${meant}` === mediaType ? undefined : `${known}/${meant}`;
}

/** True for a subtype of a vendor, or with a suffix, which says how it is read. */
function isOwn(subtype: string): boolean {
  return (
    subtype.includes('.') || /\+(?:json|xml|yaml|cbor|zip|gzip)$/.test(subtype) || OTHER_SUBTYPES.includes(subtype)
  );
}

/** The usual subtypes that are experimental, as this one is, or not. */
function similarTo(subtype: string, type: string): readonly string[] {
  return (SUBTYPES[type] ?? []).filter((usual) => usual.startsWith('x-') === subtype.startsWith('x-'));
}

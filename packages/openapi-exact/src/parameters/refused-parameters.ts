import { essenceOf, BODY_KINDS, bodyKind } from '../http/media-type.ts';
import type { Operation } from '../document/read-contract.ts';
import {
  resolve,
  type Encoding,
  type Encodings,
  type Header,
  type OpenApiDocument,
  type ParameterLocation,
} from '../schema/openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { LOCATIONS } from './locations.ts';

/** Headers of responses and parts whose values are not read. */
const UNREAD = ['content-type', 'set-cookie'];

/** The parameters and headers of an operation that are written in a way that is not served. */
export function refusedParameters(document: OpenApiDocument, operation: Operation): readonly Diagnostic[] {
  const { parameters, requestBody, responses } = operation;
  const encodings = Object.entries(requestBody?.content ?? {}).flatMap(([type, media]) =>
    // Only parts have headers.
    bodyKind(type) === 'multipart' || essenceOf(type) === '*/*' ? encodingsIn(media) : [],
  );
  // Other parts of responses are not written by their encodings.
  const written = Object.values(responses).flatMap(({ content }) =>
    Object.values(content ?? {}).flatMap(({ prefixEncoding, itemEncoding }) =>
      encodingsIn({ ...(prefixEncoding && { prefixEncoding }), ...(itemEncoding && { itemEncoding }) }),
    ),
  );
  const headers = [...Object.values(responses), ...encodings, ...written]
    .flatMap((described) => Object.entries(described.headers ?? {}))
    .filter(([name]) => !UNREAD.includes(name.toLowerCase()));
  return [
    ...parameters.flatMap((parameter) => styleDiagnostics(parameter, parameter.in, parameter.name)),
    ...headers.flatMap(([name, header]) => styleDiagnostics(resolve<Header>(document, header), 'header', name)),
  ];
}

/** All encodings, those within others included. */
function encodingsIn({ encoding = {}, prefixEncoding = [], itemEncoding }: Encodings): readonly Encoding[] {
  const all = [...Object.values(encoding), ...prefixEncoding, ...(itemEncoding === undefined ? [] : [itemEncoding])];
  return all.flatMap((each) => [each, ...encodingsIn(each)]);
}

function styleDiagnostics(node: Header, location: ParameterLocation, name: string): readonly Diagnostic[] {
  const [mediaType = ''] = Object.keys(node.content ?? {});
  const { styles } = LOCATIONS[location];
  const { style = styles[0] ?? '' } = node;
  const what = `${location} parameter '${name}'`;
  if (BODY_KINDS[bodyKind(mediaType)].hasFields) {
    const reason = `${what}: ${mediaType} is not served in a parameter: use a style, or JSON.`;
    return [{ node, key: 'content', reason }];
  }
  if (node.content !== undefined || styles.includes(style)) return [];
  return [{ node, key: 'style', reason: `${what}: its style is one of ${styles.join(', ')}, not ${style}.` }];
}

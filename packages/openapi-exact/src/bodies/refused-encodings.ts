import type { Operation } from '../document/read-contract.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { BODY_KINDS, bodyKind, essenceOf } from '../http/media-type.ts';
import type { Encoding, Encodings, MediaTypeObject } from '../schema/openapi-document.ts';

/** The fields of OpenAPI 3.2 that encode parts by their positions. */
const BY_POSITION = ['prefixEncoding', 'itemEncoding'] as const;

/** The encodings of the bodies of an operation that are not served. */
export function refusedEncodings({ requestBody, responses }: Operation): readonly Diagnostic[] {
  const requests = Object.entries(requestBody?.content ?? {});
  const written = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content));
  return [
    ...requests.flatMap(([type, media]) => [...misplaced(type, media), ...nestedInNames(type, media)]),
    ...[...requests, ...written].flatMap(([, media]) => (media.itemSchema === undefined ? [] : nestedNames(media))),
  ];
}

/** Encodings by position of what has no positions. */
function misplaced(type: string, media: MediaTypeObject): readonly Diagnostic[] {
  const key = BY_POSITION.find((field) => media[field] !== undefined);
  // For all other media types, they are ignored.
  if (key === undefined || bodyKind(type) !== 'multipart') return [];
  const reason =
    media.encoding !== undefined
      ? `${key} must not stand beside encoding: describe the parts either by position or by name.`
      : essenceOf(type) === 'multipart/form-data'
        ? `${key} of ${type} is not served: describe its parts by name, in encoding.`
        : media.itemSchema === undefined
          ? `${key} of ${type} needs an itemSchema, or a schema of the type array.`
          : undefined;
  return reason === undefined ? [] : [{ node: media, key, reason }];
}

/** Encodings within those of properties, whose parts are read as a whole. */
function nestedInNames(type: string, { encoding = {} }: MediaTypeObject): readonly Diagnostic[] {
  if (!BODY_KINDS[bodyKind(type)].hasFields) return [];
  return Object.entries(encoding).flatMap(([name, nested]) => {
    const key = (['encoding', ...BY_POSITION] as const).find((field) => nested[field] !== undefined);
    if (key === undefined || !hasFields(nested)) return [];
    const reason = `${key} within the encoding of '${name}' is not served: only parts without names have parts within them.`;
    return [{ node: nested, key, reason }];
  });
}

/** Encodings by name within those by position. */
function nestedNames({ prefixEncoding = [], itemEncoding }: Encodings): readonly Diagnostic[] {
  return [...prefixEncoding, ...(itemEncoding === undefined ? [] : [itemEncoding])].flatMap((nested) => {
    const reason =
      'encoding within prefixEncoding and itemEncoding is not served: describe parts within a part by position.';
    const own = nested.encoding !== undefined && hasFields(nested) ? [{ node: nested, key: 'encoding', reason }] : [];
    return [...own, ...nestedNames(nested)];
  });
}

/** Whether a part may have parts or fields, without which encodings within its own are ignored. */
function hasFields({ contentType = '' }: Encoding): boolean {
  return contentType.split(',').some((type) => BODY_KINDS[bodyKind(type.trim())].hasFields);
}

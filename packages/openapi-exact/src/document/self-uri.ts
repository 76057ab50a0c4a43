import { posix } from 'node:path';
import { isObject, isVersion32, own } from '../schema/openapi-document.ts';

/** Endings of files that a URI may leave out. */
const ENDINGS = ['', '.yaml', '.yml', '.json'];

/**
 * The URI of a file: what its `$self` says (OpenAPI 3.2, "Establishing the Base URI"), or its
 * place.
 */
export function selfUri(root: unknown, place: string): string {
  const self = isObject(root) && isVersion32(root) ? own(root, '$self') : undefined;
  return typeof self === 'string' && URL.canParse(self, place) ? new URL(self, place).href.replace(/#.*$/s, '') : place;
}

/**
 * Where the file with a URI may be: as far from a file as its URI is from that of the file.
 * @param file the place and the URI of a file with `$self`.
 */
export function possiblePlaces(uri: string, file: { readonly place: string; readonly uri: string }): readonly string[] {
  const [from, to] = [new URL(file.uri), new URL(uri)];
  if (file.place === file.uri || from.protocol !== to.protocol || from.host !== to.host) return [];
  const way = posix.relative(posix.dirname(from.pathname), to.pathname);
  return way === '' ? [] : ENDINGS.map((ending) => new URL(way + ending, file.place).href);
}

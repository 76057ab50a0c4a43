import type { Method } from '../schema/openapi-document.ts';

/**
 * The operationId of an operation that declares none: the method, then each segment of the path in
 * capitals, with `By` before a parameter. `GET /notes/{id}/tags` is `getNotesByIdTags`.
 */
export function operationIdOf(method: Method, path: string): string {
  const words = path.replaceAll(/\{([^}]*)\}/g, '/by/$1/').split(/[^\p{L}\p{N}]+/u);
  return method.toLowerCase() + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

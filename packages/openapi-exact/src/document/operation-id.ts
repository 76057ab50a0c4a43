/**
 * The operationId of an operation that declares none: the method, then each segment of the path in
 * capitals, with `By` before a parameter. `GET /notes/{id}/tags` is `getNotesByIdTags`.
 */
export function operationIdOf(method: string, path: string): string {
  const [first = '', ...words] = `${method.toLowerCase()}/${path.replaceAll(/\{([^}]*)\}/g, '/by/$1/')}`.split(
    /[^\p{L}\p{N}]+/u,
  );
  return first + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

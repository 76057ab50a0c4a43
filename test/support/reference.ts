import type { Contract } from 'openapi-exact';

type Document = Contract['document'];

/** A JSON Reference into the same document (`#/…`). */
interface Reference {
  readonly $ref: string;
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';
}

/** The object that a local reference leads to. @throws Error when it leads nowhere. */
export function resolve<T extends object>(document: Document, value: T | Reference): T {
  if (!isReference(value)) return value;
  const tokens = decodeURIComponent(value.$ref).split('/').slice(1);
  const keys = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = keys.reduce<unknown>(
    (node, key) => new Map(Object.entries(Object(node) as object)).get(key),
    document,
  );
  if (typeof target !== 'object' || target === null) throw new Error(`The reference ${value.$ref} leads nowhere.`);
  // The contract was checked at load: a reference in this place leads to an object of this kind.
  return resolve(document, target as T | Reference);
}

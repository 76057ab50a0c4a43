import { isObject, isReference, own, pointerTokens, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { FIELDS, type Kind } from './structure.ts';

/** All schemas of the parts of a document that are served. */
export function schemasOfDocument(document: OpenApiDocument): readonly Schema[] {
  const found = new Set<object>();
  const schemas: Schema[] = [];
  const pending: (readonly [kind: Kind, node: unknown])[] = [['document', document]];
  // A list takes new members while it is iterated.
  for (const [kind, node] of pending) {
    if (!isObject(node) || found.has(node)) continue;
    found.add(node);
    if (kind === 'schema') schemas.push(node);
    // What is not served may have references that lead nowhere.
    if (isReference(node)) pending.push([kind, pointerTokens(node.$ref.slice(1)).reduce<unknown>(own, document)]);
    for (const [name, field] of Object.entries(FIELDS[kind])) {
      const value = node[name];
      if (value === undefined || field.isUnserved === true) continue;
      const isMap = field.shape === 'map' && isObject(value);
      for (const child of isMap ? Object.values(value) : [value].flat()) pending.push([field.kind, child]);
    }
  }
  return schemas;
}

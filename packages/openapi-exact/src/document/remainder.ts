import type { Bundle, DocumentNode } from './bundle.ts';
import { isObject } from '../schema/openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import type { Sources } from './sources.ts';

/**
 * A copy of a document without its refused parts, whose other parts can be checked all the same.
 * Schemas and security schemes are emptied, since others may refer to them.
 * @returns undefined when the document itself is refused.
 */
export function remainder(bundled: Bundle, diagnostics: readonly Diagnostic[], sources: Sources): Bundle | undefined {
  const refused = new Set<unknown>(diagnostics.map(({ node }) => node));
  const { document, nodes, schemas } = bundled;
  if (!isObject(document) || refused.has(document)) return undefined;
  const emptied = new Set<unknown>([...schemas, ...(nodes.get('securityScheme') ?? [])]);
  const copies = new Map<unknown, object>();
  const originals = new Map<object, object>();

  /** Undefined for a refused value. */
  function withoutRefused(value: unknown, key: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (refused.has(value)) return key === 'schema' || emptied.has(value) ? remember(value, {}) : undefined;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      remember(value, items);
      items.push(...value.map((item) => withoutRefused(item, '')).filter((item) => item !== undefined));
      return items;
    }
    const entries: DocumentNode = {};
    remember(value, entries);
    for (const [name, child] of Object.entries(value)) {
      const copied = withoutRefused(child, name);
      if (copied !== undefined) entries[name] = copied;
    }
    return entries;
  }

  function remember<Copy extends object>(original: object, copied: Copy): Copy {
    copies.set(original, copied);
    originals.set(copied, original);
    sources.addCopy(copied, original);
    return copied;
  }

  const copied = withoutRefused(document, '');
  const copiesOf = (originals: readonly DocumentNode[]): readonly DocumentNode[] =>
    originals.map((node) => copies.get(node)).filter((node) => isObject(node));
  return {
    ...bundled,
    versionOf: (copy) => bundled.versionOf(originals.get(copy) ?? copy),
    document: copied,
    nodes: new Map([...nodes].map(([kind, ofKind]) => [kind, copiesOf(ofKind)])),
    schemas: copiesOf(schemas),
  };
}

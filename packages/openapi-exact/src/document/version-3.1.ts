import { isObject, isVersion32 } from '../schema/openapi-document.ts';
import { FIELDS_SINCE_32, type Kind } from '../schema/structure.ts';
import type { Bundle } from './bundle.ts';

/**
 * Removes from objects what OpenAPI 3.2 has added, where their files are of an earlier version, to
 * which it is unknown. They are objects of 3.2 then.
 */
export function removeLaterFields({ nodes, versionOf }: Bundle): void {
  for (const schema of nodes.get('schema') ?? []) {
    const { discriminator } = schema;
    if (isObject(discriminator) && !isVersion32(versionOf(schema)))
      Reflect.deleteProperty(discriminator, 'defaultMapping');
  }
  for (const [kind, keys] of Object.entries(FIELDS_SINCE_32)) {
    // Safe: these are the keys of the table.
    for (const node of nodes.get(kind as Kind) ?? []) {
      if (!isVersion32(versionOf(node))) for (const key of keys) Reflect.deleteProperty(node, key);
    }
  }
}

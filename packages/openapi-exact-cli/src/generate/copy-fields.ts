import { FIELDS, isObject, list, type Field, type Kind } from 'openapi-exact/contract';

/**
 * Copies the objects in the fields of an object. What is not served stays unchanged.
 * @param copy gets the key of the field, and the name of an object in a map.
 */
export function copyFields(
  kind: Kind,
  node: Readonly<Record<string, unknown>>,
  copy: (child: unknown, field: Field, key: string, name?: string) => unknown,
): Record<string, unknown> {
  const copied = { ...node };
  for (const [key, field] of Object.entries(FIELDS[kind])) {
    const value = node[key];
    if (field.isUnserved === true || key === 'pathItems' || value === undefined) continue;
    const child = (childNode: unknown): unknown => copy(childNode, field, key);
    if (field.shape === 'list') copied[key] = list(value).map(child);
    else if (field.shape === 'one' || !isObject(value)) copied[key] = child(value);
    else
      copied[key] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, copy(member, field, key, name)]),
      );
  }
  return copied;
}

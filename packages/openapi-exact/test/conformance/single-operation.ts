import {
  arrayOf,
  atPointer,
  isObject,
  mapJson,
  METHODS,
  objectOf,
  operationAt,
  resolve,
  schemeName,
  type Json,
  type JsonObject,
  type OperationKey,
  type SourceDocument,
} from 'openapi-exact-cli/examples';

/**
 * The document with some of its operations alone, and the components that they reach. Everything
 * that is left is as it was written.
 */
export function onlyOperations(document: SourceDocument, operationKeys: readonly OperationKey[]): JsonObject {
  const isElsewhere = operationKeys.some(({ path }) => {
    const { $ref } = objectOf(objectOf(document.root['paths'])[path]);
    return typeof $ref === 'string' && !$ref.startsWith('#');
  });
  // The root has absolute paths.
  const source = isElsewhere ? document.view : document.root;
  const { paths, components: _, webhooks: __, tags: ___, ...rest } = source;
  const root = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
  const components: Components = {};
  const kept: JsonObject = {};
  for (const path of new Set(operationKeys.map((operationKey) => operationKey.path))) {
    const methods = operationKeys.filter((operationKey) => operationKey.path === path).map(({ method }) => method);
    const item = Object.entries(objectOf(resolve(source, objectOf(paths)[path])));
    const own = Object.fromEntries(item.filter(([key]) => methods.includes(key) || !METHODS.includes(key)));
    const additional = Object.entries(objectOf(own['additionalOperations']));
    own['additionalOperations'] = Object.fromEntries(additional.filter(([method]) => methods.includes(method)));
    if (additional.length === 0) Reflect.deleteProperty(own, 'additionalOperations');
    kept[path] = reach(source, own, components);
  }
  const schemes = operationKeys.flatMap((operationKey) => {
    const security = arrayOf(operationAt(document, operationKey).definition['security'] ?? root['security']);
    return security.flatMap((requirement) => Object.keys(objectOf(requirement)).map(schemeName));
  });
  for (const scheme of schemes) include(source, 'securitySchemes', scheme, components);
  return { ...root, paths: kept, components };
}

/** Components by kind and name. */
type Components = Record<string, JsonObject>;

function include(source: JsonObject, kind: string, name: string, components: Components): void {
  const named = (components[kind] ??= {});
  const component = objectOf(objectOf(source['components'])[kind])[name];
  if (component === undefined || Object.hasOwn(named, name)) return;
  named[name] = null;
  named[name] = reach(source, component, components);
}

/**
 * Includes the components that a part of a document reaches. @returns the part, with what it
 * refers to in other operations in its place.
 */
function reach(source: JsonObject, value: Json, components: Components, inlined: readonly string[] = []): Json {
  return mapJson(value, (part) => {
    if (!isObject(part)) return part;
    const { $ref, discriminator } = part;
    for (const target of Object.values(objectOf(objectOf(discriminator)['mapping']))) {
      if (typeof target === 'string')
        include(source, 'schemas', target.replace('#/components/schemas/', ''), components);
    }
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return part;
    const [, kind, name] = /^#\/components\/([^/]+)\/([^/]+)/.exec($ref) ?? [];
    if (kind !== undefined && name !== undefined) {
      include(source, kind, decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'), components);
      return part;
    }
    const target = atPointer(source, $ref);
    const isCircle = target === undefined || inlined.includes($ref);
    return isCircle ? { $ref } : reach(source, target, components, [...inlined, $ref]);
  });
}

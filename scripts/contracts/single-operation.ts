import { arrayOf, isObject, objectOf, type Json, type JsonObject } from './json-value.ts';
import { atPointer, METHODS, operationAt, resolve, type Place, type SourceDocument } from './source-document.ts';

const COMPONENT = /^#\/components\/([^/]+)\/([^/]+)/;

/**
 * The document with one operation alone, and the components that it reaches. Everything that is
 * left is as it was written.
 */
export function singleOperation(document: SourceDocument, place: Place): JsonObject {
  const { path, method } = place;
  const { $ref } = objectOf(objectOf(document.root['paths'])[path]);
  // The root has absolute paths.
  const isElsewhere = typeof $ref === 'string' && !$ref.startsWith('#');
  const source = isElsewhere ? document.view : document.root;
  const item = objectOf(resolve(source, objectOf(source['paths'])[path]));
  const others = Object.entries(item).filter(([key]) => key === method || !METHODS.includes(key));
  return new Reduction(source).reduce(path, Object.fromEntries(others), operationAt(document, place).definition);
}

class Reduction {
  readonly #source: JsonObject;
  readonly #components = new Map<string, Map<string, Json>>();
  readonly #inlined: string[] = [];

  constructor(source: JsonObject) {
    this.#source = source;
  }

  reduce(path: string, item: JsonObject, operation: JsonObject): JsonObject {
    const { paths: _, components: __, webhooks: ___, tags: ____, ...rest } = this.#source;
    const root = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
    const reduced = this.#copy(item);
    const security = arrayOf(operation['security'] ?? root['security']);
    for (const scheme of security.flatMap((requirement) => Object.keys(objectOf(requirement)))) {
      this.#include('securitySchemes', scheme);
    }
    const components = [...this.#components].map(([kind, named]): [string, Json] => [kind, Object.fromEntries(named)]);
    return { ...root, paths: { [path]: reduced }, components: Object.fromEntries(components) };
  }

  #include(kind: string, name: string): void {
    const named = this.#components.get(kind) ?? new Map<string, Json>();
    this.#components.set(kind, named);
    const component = objectOf(objectOf(this.#source['components'])[kind])[name];
    if (component === undefined || named.has(name)) return;
    named.set(name, null);
    named.set(name, this.#copy(component));
  }

  #copy(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.#copy(one));
    if (!isObject(value)) return value;
    const { $ref, discriminator } = value;
    if (typeof $ref === 'string' && $ref.startsWith('#/')) {
      const [, kind, name] = COMPONENT.exec($ref) ?? [];
      if (kind === undefined || name === undefined) return this.#inline($ref);
      this.#include(kind, decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
    }
    for (const target of Object.values(objectOf(objectOf(discriminator)['mapping']))) {
      if (typeof target === 'string') this.#include('schemas', target.replace('#/components/schemas/', ''));
    }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#copy(one)]));
  }

  /** What a reference into another operation names, which is not in the reduced document. */
  #inline($ref: string): Json {
    const target = atPointer(this.#source, $ref);
    if (target === undefined || this.#inlined.includes($ref)) return { $ref };
    this.#inlined.push($ref);
    const copy = this.#copy(target);
    this.#inlined.pop();
    return copy;
  }
}

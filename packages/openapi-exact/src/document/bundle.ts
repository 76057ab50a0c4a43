import { pathToFileURL } from 'node:url';
import { ComponentNames } from './component-names.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import {
  encodeToken,
  isObject,
  isReference,
  isVersion30,
  isVersion32,
  list,
  own,
  pointerTokens,
} from '../schema/openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { Resources, type Resource, type Target } from './resources.ts';
import type { Sources } from './sources.ts';
import { COMPONENTS, FIELDS, FIELDS_SINCE_32, type Field, type Kind } from '../schema/structure.ts';

/** An object of a document. */
export type DocumentNode = Record<string, unknown>;

/** A document with its version of OpenAPI. */
export interface Versioned {
  readonly openapi?: unknown;
}

/** A contract whose references all lead into the same document. */
export interface Bundle {
  /** The value of the contract's own file with further components. Its objects are the file's. */
  readonly document: unknown;
  /** The served objects by kind, without Reference Objects, except schemas with keywords beside. */
  readonly nodes: ReadonlyMap<Kind, readonly DocumentNode[]>;
  /** All schemas, also those of webhooks and callbacks. */
  readonly schemas: readonly DocumentNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** The version of OpenAPI in which a served object was written: that of its own file. */
  readonly versionOf: (node: object) => Versioned;
  /** The error of the first file that does not parse. */
  readonly parseError: unknown;
}

/**
 * Reads a contract and its further files, and makes every reference a pointer into the contract
 * (`#/…`). Data, such as examples, and extensions are not searched for references.
 * @param sources receives the files. @param readText reads a file by its path, or rejects.
 * @throws the error of reading the contract's own file.
 */
export async function bundle(sources: Sources, readText: (path: string) => Promise<string>): Promise<Bundle> {
  const resources = new Resources(sources, readText);
  const root = await resources.readFile(pathToFileURL(sources.root).href);
  const bundler = new Bundler(resources);
  const original = root?.root;
  const document = root && isObject(original) ? await bundler.bundleRoot(root, original) : original;
  if (isObject(document) && isObject(original)) sources.addCopy(document, original);
  const { nodes, schemas, diagnostics, versions } = bundler;
  const versionOf = (node: object): Versioned => versions.get(node) ?? {};
  return { document, nodes, schemas, diagnostics, versionOf, parseError: resources.parseError };
}

/** A value to visit. */
interface Visit {
  readonly value: unknown;
  /** The object that contains it, and its key there. */
  readonly parent: object;
  readonly key: string | number | undefined;
  readonly field: Field;
  readonly resource: Resource;
  /** The closest schema around with `$recursiveAnchor` (JSON Schema 2019-09). */
  readonly recursive: DocumentNode | undefined;
}

/** A reference to follow. */
interface VisitedReference extends Visit {
  readonly node: DocumentNode;
  /** The key of its text in the node. */
  readonly name: string;
  /** The name of a discriminator's mapping, which need not lead anywhere. */
  readonly isOptional: boolean;
}

/** A reference that leads somewhere. */
interface Found {
  readonly reference: VisitedReference;
  readonly target: Target;
}

/** Keywords that only identify a schema. */
const IDENTIFIERS = ['$id', '$schema', '$anchor', '$dynamicAnchor', '$recursiveAnchor'];
/** Keywords that refer to a schema. */
const REFERRING = ['$ref', '$dynamicRef', '$recursiveRef'];

class Bundler {
  readonly nodes = new Map<Kind, DocumentNode[]>();
  readonly schemas: DocumentNode[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly versions = new WeakMap<object, Versioned>();
  readonly #resources: Resources;
  readonly #visited = new Map<Kind, Set<unknown>>();
  #visits: Visit[] = [];
  #references: VisitedReference[] = [];
  /** What nothing serves is visited last: a part of it may be served elsewhere. */
  readonly #unserved: Visit[] = [];
  #isServed = true;
  readonly #found: Found[] = [];
  /** The security schemes that requirements name by their URIs. */
  readonly #schemes: NamedScheme[] = [];
  readonly #inlined = new Map<DocumentNode, Found>();
  #document: DocumentNode = {};
  #ignoresSiblings = false;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  async bundleRoot(resource: Resource, document: DocumentNode): Promise<DocumentNode> {
    this.#document = document;
    // OpenAPI 3.0 ignores keywords beside a reference.
    this.#ignoresSiblings = isVersion30(document);
    const field: Field = { kind: 'document', shape: 'one' };
    this.#visits.push({ value: document, parent: document, key: undefined, field, resource, recursive: undefined });
    await this.#work();
    this.#isServed = false;
    this.#visits.push(...this.#unserved);
    await this.#work();
    this.#requireEnds();
    // The components may be in a file of their own.
    const inlined = this.#found.filter(isInlined);
    for (const found of inlined) this.#inlined.set(found.reference.node, found);
    for (const { reference } of inlined) this.#inline(reference.node);
    const components = new ComponentNames(document['components']);
    for (const found of this.#found) if (!isInlined(found)) rewrite(found, components);
    for (const scheme of this.#schemes) renameScheme(scheme);
    for (const schema of this.schemas) for (const key of IDENTIFIERS) Reflect.deleteProperty(schema, key);
    return { info: { title: '' }, paths: {}, ...document, components: components.all };
  }

  /** Only references may lead to files that are still to be read. */
  async #work(): Promise<void> {
    while (this.#visits.length + this.#references.length > 0) {
      for (const visit of this.#visits) this.#visit(visit);
      this.#visits = [];
      for (const reference of this.#references.splice(0)) await this.#follow(reference);
    }
  }

  #refuseReference(node: object, key: string | number | undefined, reason: string): void {
    if (this.#isServed) this.diagnostics.push({ node, key, reason });
  }

  #visit(visit: Visit): void {
    const { value, parent, key, field } = visit;
    if (field.kind === 'schema' && typeof value === 'boolean') return;
    if (!isObject(value)) {
      this.#refuseReference(parent, key, `${String(key)} must be an object, not ${JSON.stringify(value)}.`);
      return;
    }
    // Authors refer from a response to a request body, which has the same fields.
    const visited = getOrInsert(this.#visited, field.kind, () => new Set());
    if (visited.has(value)) return;
    visited.add(value);
    if (field.shape === 'map') this.#visitMap(value, visit);
    else this.#visitNode(value, visit);
  }

  #visitMap(map: DocumentNode, visit: Visit): void {
    if (isReference(map)) {
      this.#references.push({ ...visit, node: map, name: '$ref', isOptional: false });
      return;
    }
    for (const key of Object.keys(map)) {
      if (visit.field.isExtensible === true && key.startsWith('x-')) continue;
      // A key of YAML without a value.
      map[key] ??= {};
      this.#visits.push({ ...visit, value: map[key], parent: map, key, field: { ...visit.field, shape: 'one' } });
    }
  }

  #visitNode(node: DocumentNode, outer: Visit): void {
    const { kind } = outer.field;
    const recursive = node['$recursiveAnchor'] === true ? node : outer.recursive;
    const visit: Visit = { ...outer, resource: this.#resources.identifiedBy(node) ?? outer.resource, recursive };
    const references = (kind === 'schema' ? REFERRING : ['$ref']).filter((name) => typeof node[name] === 'string');
    for (const name of references) this.#references.push({ ...visit, node, name, isOptional: false });
    if (references.length > 0 && kind !== 'pathItem') {
      if (this.#ignoresSiblings)
        for (const key of Object.keys(node)) if (key !== '$ref') Reflect.deleteProperty(node, key);
      if (kind !== 'schema') return;
    }
    if (this.#isServed) getOrInsert(this.nodes, kind, () => []).push(node);
    const version = this.#versionOf(visit.resource);
    this.versions.set(node, version);
    if (kind === 'schema') {
      // A key of YAML without a value.
      if (node['$ref'] === null) Reflect.deleteProperty(node, '$ref');
      this.schemas.push(node);
      this.#visitMapping(node, visit);
    }
    if (kind === 'callback') {
      this.#visitMap(node, { ...visit, field: { kind: 'pathItem', shape: 'map', isExtensible: true } });
    }
    if (isVersion32(version) && (kind === 'document' || kind === 'operation')) this.#visitSecurity(node, visit);
    const fields = Object.entries(FIELDS[kind]);
    const unknown = unknownFields(kind, version);
    for (const [key, field] of fields) {
      if (key in node && !unknown.includes(key)) this.#visitField(node, key, field, visit);
    }
  }

  /** A file without `openapi` is a part of the contract and has its version. */
  #versionOf({ root, file }: Resource): Versioned {
    const document = file === undefined ? root : file.root;
    return isObject(document) && 'openapi' in document ? document : this.#document;
  }

  #visitField(node: DocumentNode, key: string, field: Field, around: Visit): void {
    const isOutermost = field.kind === 'schema' && around.field.kind !== 'schema';
    // What reads messages knows schemas that are objects.
    if (isOutermost && typeof node[key] === 'boolean') node[key] = node[key] ? {} : { not: {} };
    const value = node[key];
    // A key of YAML without a value.
    if (value === null) Reflect.deleteProperty(node, key);
    else if (field.shape !== 'list') {
      const visits = field.isUnserved === true ? this.#unserved : this.#visits;
      visits.push({ ...around, value, parent: node, key, field });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        this.#visits.push({ ...around, value: item, parent: value, key: index, field: { ...field, shape: 'one' } });
      }
    } else this.#refuseReference(node, key, `${key} must be a list.`);
  }

  /** A requirement names a scheme by its component or, since OpenAPI 3.2, by a reference. */
  #visitSecurity({ security }: DocumentNode, visit: Visit): void {
    const schemes = own(this.#document['components'], 'securitySchemes');
    for (const requirement of list(security).filter(isObject)) {
      for (const name of Object.keys(requirement)) {
        if (own(schemes, name) !== undefined) continue;
        const node: DocumentNode = { $ref: name };
        const field: Field = { kind: 'securityScheme', shape: 'one' };
        this.#schemes.push({ requirement, name, node });
        // A name that leads nowhere is refused with the requirement.
        this.#references.push({ ...visit, field, node, name: '$ref', isOptional: true });
      }
    }
  }

  /** A discriminator names schemas by their component or by a reference. */
  #visitMapping({ discriminator }: DocumentNode, visit: Visit): void {
    if (!isObject(discriminator)) return;
    const { mapping, defaultMapping } = discriminator;
    for (const name of isObject(mapping) ? Object.keys(mapping) : []) this.#visitName(mapping, name, visit);
    if (defaultMapping !== undefined && isVersion32(this.#versionOf(visit.resource)))
      this.#visitName(discriminator, 'defaultMapping', visit);
  }

  /** @param node an object whose key has the name of a schema or a reference to one. */
  #visitName(node: unknown, name: string, visit: Visit): void {
    const value = own(node, name);
    if (!isObject(node) || typeof value !== 'string') return;
    const components = isObject(this.#document['components']) ? this.#document['components']['schemas'] : undefined;
    if (own(components, value) !== undefined) node[name] = `#/components/schemas/${encodeToken(value)}`;
    this.#references.push({ ...visit, node, name, isOptional: true });
  }

  async #follow(reference: VisitedReference): Promise<void> {
    const { node, name, field, resource, recursive, isOptional } = reference;
    const text = String(node[name]);
    const target =
      name === '$recursiveRef' && recursive !== undefined
        ? { value: recursive, resource }
        : await this.#resources.locate(text, resource);
    if (target === undefined || target.value === this.#document) {
      if (!isOptional) this.#refuseReference(node, name, this.#resources.explain(text, resource));
      return;
    }
    if (name === '$dynamicRef' && this.#resources.isAmbiguousAnchor(text.replace(/^.*#/, ''))) {
      const reason = `the reference ${text} is not served, because several schemas have this dynamic anchor: use $ref.`;
      this.#refuseReference(node, name, reason);
      return;
    }
    this.#found.push({ reference: { ...reference, isOptional: isOptional || !this.#isServed }, target });
    this.#visits.push({ ...target, parent: node, key: name, field, recursive: undefined });
  }

  /** Refuses references that lead in a circle, which have no meaning. */
  #requireEnds(): void {
    this.#isServed = true;
    const next = new Map<unknown, unknown>();
    for (const { reference, target } of this.#found) if (!reference.isOptional) next.set(reference.node, target.value);
    for (const { reference } of this.#found) {
      const seen = new Set<unknown>();
      let end: unknown = reference.node;
      for (; next.has(end) && !seen.has(end); end = next.get(end)) seen.add(end);
      if (!seen.has(end)) continue;
      this.#refuseReference(
        reference.node,
        reference.name,
        'the reference leads to itself: name an object that is not a reference.',
      );
    }
  }

  /** Fills an object with the fields of the object that it refers to. */
  #inline(node: DocumentNode): void {
    const found = this.#inlined.get(node);
    if (found === undefined) return;
    const { reference, target } = found;
    this.#inlined.delete(node);
    delete node['$ref'];
    if (target.value === false) node['not'] = {};
    if (!isObject(target.value)) return;
    this.#inline(target.value);
    // The fields are those of the version in which they were written.
    const version = this.#versionOf(target.resource);
    this.versions.set(node, version);
    const unknown = unknownFields(reference.field.kind, version);
    for (const [key, value] of Object.entries(target.value)) if (!unknown.includes(key)) node[key] ??= value;
  }
}

/** The fields of a kind of object that a version does not know yet. */
function unknownFields(kind: Kind, version: Versioned): readonly string[] {
  return isVersion32(version) ? [] : (FIELDS_SINCE_32[kind] ?? []);
}

/** A security scheme that a requirement names by its URI. */
interface NamedScheme {
  readonly requirement: DocumentNode;
  readonly name: string;
  /** The reference to it, which becomes one to a component. */
  readonly node: DocumentNode;
}

/** Names a scheme by its component; the order of the names stays. */
function renameScheme({ requirement, name, node }: NamedScheme): void {
  const pointer = String(node['$ref']);
  if (!pointer.startsWith('#/components/securitySchemes/')) return;
  const component = pointerTokens(pointer.slice(1)).at(-1) ?? name;
  for (const [key, scopes] of Object.entries(requirement)) {
    Reflect.deleteProperty(requirement, key);
    requirement[key === name ? component : key] = scopes;
  }
}

/** True where OpenAPI knows no reference, or no pointer leads: a schema can be `true`. */
function isInlined({ reference: { field }, target }: Found): boolean {
  return field.shape === 'map' || COMPONENTS[field.kind] === undefined || typeof target.value === 'boolean';
}

/** Writes the pointer to a component. */
function rewrite({ reference: { node, name, field }, target }: Found, components: ComponentNames): void {
  const section = COMPONENTS[field.kind];
  if (section === undefined) return;
  const pointer = components.pointerTo(section, target.value, String(node[name]));
  const key = name === '$dynamicRef' || name === '$recursiveRef' ? '$ref' : name;
  if (key !== name) Reflect.deleteProperty(node, name);
  node[key] = pointer;
}

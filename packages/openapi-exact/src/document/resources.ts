import { fileURLToPath } from 'node:url';
import { nearest } from '../errors/nearest.ts';
import { encodeToken, isObject, isReference, own, pointerTokens } from '../schema/openapi-document.ts';
import { FIELDS } from '../schema/structure.ts';
import { parseYaml, requireEnd } from './parse-yaml.ts';
import { possiblePlaces, selfUri } from './self-uri.ts';
import { displayName, type Sources } from './sources.ts';

/**
 * What a URI identifies: a file, or a schema with an `$id` (JSON Schema 2020-12, section 8.2.1).
 */
export interface Resource {
  readonly uri: string;
  /** The URI of the file that was read. */
  readonly place: string;
  readonly root: unknown;
  /** The resource of its file; undefined for a file itself. */
  readonly file: Resource | undefined;
  readonly anchors: Map<string, object>;
}

/** The target of a reference. */
export interface Target {
  readonly value: unknown;
  /** The resource around it. */
  readonly resource: Resource;
}

/** A node of a file. */
interface FileNode {
  readonly node: unknown;
  /** The resource around it. */
  readonly around: Resource;
  /** Whether its keys are names that authors choose. */
  readonly isNamed: boolean;
}

/** A reference that leads across more references than this leads in a circle. */
const MAX_CROSSED = 100;
/** Fields whose values are data. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);
/** The fields of all kinds of objects. */
const ALL_FIELDS = Object.values(FIELDS).flatMap((fields) => Object.entries(fields));
const KNOWN = new Set(ALL_FIELDS.map(([key]) => key));
/** Fields whose keys are names that authors choose. */
const NAMED = new Set(ALL_FIELDS.filter(([, { shape }]) => shape === 'map').map(([key]) => key));

/** The files of a contract, and the schemas in them that have a URI or an anchor of their own. */
export class Resources {
  readonly #sources: Sources;
  readonly #readText: (path: string) => Promise<string>;
  readonly #byUri = new Map<string, Resource | undefined>();
  readonly #identified = new Map<unknown, Resource>();
  readonly #dynamicAnchors = new Map<string, number>();
  /** The error of the first file that does not parse. */
  parseError: unknown;

  constructor(sources: Sources, readText: (path: string) => Promise<string>) {
    this.#sources = sources;
    this.#readText = readText;
  }

  /**
   * Reads and parses a file, once.
   * @returns undefined when it does not parse.
   * @throws the error of reading.
   */
  async readFile(uri: string): Promise<Resource | undefined> {
    const path = fileURLToPath(uri);
    const text = await this.#readText(path);
    let root: unknown;
    let resource: Resource | undefined;
    try {
      root = parseYaml(text, path);
      requireEnd(root);
      resource = { uri: selfUri(root, uri), place: uri, root, file: undefined, anchors: new Map() };
    } catch (error) {
      this.parseError ??= error;
    }
    this.#sources.addFile(path, text, root);
    this.#byUri.set(uri, resource);
    if (resource !== undefined) this.#byUri.set(resource.uri, resource);
    // Few contracts need the search.
    if (resource !== undefined && /\$(?:id|anchor|dynamicAnchor)\b/.test(text)) this.#identify(resource);
    return resource;
  }

  /** Finds the schemas with an `$id` or an anchor. */
  #identify(file: Resource): void {
    const seen = new Set<unknown>();
    const unknown: FileNode[] = [];
    this.#identifyAt([{ node: file.root, around: file, isNamed: false }], seen, unknown);
    // What is below an unknown keyword need not be a schema: it takes the place of none.
    this.#identifyAt(unknown, seen);
  }

  /** @param unknown receives the nodes below unknown fields; undefined for such nodes. */
  #identifyAt(nodes: FileNode[], seen: Set<unknown>, unknown?: FileNode[]): void {
    const isKnown = unknown !== undefined;
    for (const { node, around, isNamed } of nodes) {
      if (typeof node !== 'object' || node === null || seen.has(node)) continue;
      seen.add(node);
      let resource = around;
      if (isObject(node) && !isNamed) {
        const { $id, $anchor, $dynamicAnchor } = node;
        if (typeof $id === 'string' && URL.canParse($id, around.uri)) {
          resource = {
            uri: new URL($id, around.uri).href.replace(/#$/, ''),
            place: around.place,
            root: node,
            file: around.file ?? around,
            anchors: new Map(),
          };
          if (isKnown || !this.#byUri.has(resource.uri)) this.#byUri.set(resource.uri, resource);
          this.#identified.set(node, resource);
        }
        for (const name of [$anchor, $dynamicAnchor]) {
          if (typeof name === 'string' && (isKnown || !resource.anchors.has(name))) resource.anchors.set(name, node);
        }
        if (isKnown && typeof $dynamicAnchor === 'string') {
          this.#dynamicAnchors.set($dynamicAnchor, (this.#dynamicAnchors.get($dynamicAnchor) ?? 0) + 1);
        }
      }
      const hasNames = isNamed || Array.isArray(node);
      for (const [key, child] of Object.entries(node)) {
        if (!hasNames && (DATA.has(key) || key.startsWith('x-'))) continue;
        const found: FileNode = {
          node: child,
          around: resource,
          isNamed: !hasNames && isObject(child) && NAMED.has(key),
        };
        (hasNames || KNOWN.has(key) ? nodes : (unknown ?? nodes)).push(found);
      }
    }
  }

  /** The resource of a schema with an `$id`. */
  identifiedBy(node: unknown): Resource | undefined {
    return this.#identified.get(node);
  }

  /** True when a dynamic reference may lead to different schemas. */
  isAmbiguousAnchor(anchor: string): boolean {
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1;
  }

  /**
   * Follows one reference.
   * @param from the resource that contains it.
   * @returns undefined when it leads nowhere, or to a file that cannot be read.
   */
  async locate(reference: string, from: Resource, crossed = 0): Promise<Target | undefined> {
    if (crossed > MAX_CROSSED) return undefined;
    const [address = '', fragment = ''] = reference.split('#');
    // Authors give schemas an `$id` and still count pointers from the root of the file.
    for (const base of from.file === undefined ? [from] : [from, from.file]) {
      const resource = address === '' ? base : await this.#resource(address, base);
      const target = resource && (await this.#findFragment(resource, fragment, crossed));
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /** Why a reference cannot be followed, and the way out. */
  explain(reference: string, from: Resource): string {
    const [address = '', fragment = ''] = reference.split('#');
    const uri = uriOf(address, from.file ?? from) ?? address;
    const path = isPath(uri) ? displayName(fileURLToPath(uri)) : uri;
    return this.#byUri.has(uri)
      ? `the reference ${reference} leads nowhere: name something that is in ${path}.${suggestion(address, fragment, this.#byUri.get(uri)?.root)}`
      : `the file of the reference ${reference} cannot be read: ${path} must be a file beside the contract.`;
  }

  async #resource(address: string, base: Resource): Promise<Resource | undefined> {
    const uri = uriOf(address, base);
    if (uri === undefined || this.#byUri.has(uri)) return this.#byUri.get(uri ?? '');
    const read = isPath(uri) ? await this.readFile(uri).catch(() => undefined) : undefined;
    return read ?? this.#besideSelf(uri, base.file ?? base);
  }

  /** The file with a URI beside one with `$self`. */
  async #besideSelf(uri: string, file: Resource): Promise<Resource | undefined> {
    for (const place of possiblePlaces(uri, file)) {
      const found = this.#byUri.get(place) ?? (await this.readFile(place).catch(() => undefined));
      // Another `$self` than this URI belongs to another file.
      if (found === undefined || ![uri, place].includes(found.uri)) continue;
      this.#byUri.set(uri, found);
      return found;
    }
    return undefined;
  }

  async #findFragment(resource: Resource, fragment: string, crossed: number): Promise<Target | undefined> {
    if (fragment === '') return { value: resource.root, resource };
    if (!fragment.startsWith('/')) {
      const value = resource.anchors.get(fragment);
      return value && { value, resource };
    }
    let target: Target = { value: resource.root, resource };
    for (const token of pointerTokens(fragment)) {
      let { value } = target;
      if (isReference(value) && !Object.hasOwn(value, token)) {
        const next = await this.locate(value.$ref, target.resource, crossed + 1);
        if (next === undefined) return undefined;
        target = next;
        ({ value } = target);
      }
      const child = own(value, token);
      if (child === undefined || child === null) return undefined;
      target = { value: child, resource: this.#identified.get(child) ?? target.resource };
    }
    return target;
  }
}

/** A pointer that differs in one misspelt key, as a question; '' without one. */
function suggestion(address: string, fragment: string, root: unknown): string {
  const tokens = pointerTokens(fragment);
  let node = root;
  for (const [index, token] of tokens.entries()) {
    const child = own(node, token);
    if (child === undefined && isObject(node)) {
      const key = nearest(token, Object.keys(node));
      if (key === undefined) return '';
      const corrected = [...tokens.slice(0, index), key, ...tokens.slice(index + 1)];
      const isThere = corrected.reduce<unknown>(own, root) !== undefined;
      return isThere ? ` Did you mean ${address}#/${corrected.map(encodeToken).join('/')}?` : '';
    }
    node = child;
  }
  return '';
}

function uriOf(address: string, base: Resource): string | undefined {
  return URL.canParse(address, base.uri) ? new URL(address, base.uri).href : undefined;
}

/** True for the URI of a file on this machine. */
function isPath(uri: string): boolean {
  try {
    return fileURLToPath(uri) !== '';
  } catch {
    return false;
  }
}

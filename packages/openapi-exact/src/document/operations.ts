import {
  isQuerystring,
  isVersion32,
  list,
  resolve,
  type Header,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Reference,
  type RequestBody,
  type Response,
  type SecurityRequirement,
} from '../schema/openapi-document.ts';
import { operationsOf, withOperation } from '../schema/path-item.ts';
import { operationIdOf } from './operation-id.ts';
import { operationParameters } from './operation-parameters.ts';
import { operationSecurity } from './operation-security.ts';
import { pathMistakes } from './path-mistakes.ts';
import { templateShape, withoutFragment } from './path-template.ts';
import { diagnosticsOf, type Diagnostic } from '../errors/diagnostic.ts';
import { basePathsOf } from './servers.ts';
import type { Sources } from './sources.ts';

/**
 * An operation of the contract, with all inherited values filled in.
 * @example
 * for (const { id, method, path } of contract.operations) console.log(`${method} ${path}: ${id}`);
 */
export interface Operation {
  readonly id: string;
  /** As requests send it, such as `GET`. */
  readonly method: string;
  /** The path template, without the base path of `servers`. */
  readonly path: string;
  readonly tags: readonly string[];
  /** The extensions that the contract gives it. */
  readonly [extension: `x-${string}`]: unknown;
  /** The distinct paths of its `servers`, without trailing slash; `''` for the root. */
  readonly basePaths: readonly string[];
  /** Alternative security requirements; an empty list allows anonymous requests. */
  readonly security: readonly SecurityRequirement[];
  /** The operation's own parameters and those of its path, references resolved. */
  readonly parameters: readonly Parameter[];
  /** The schema of the whole query (`in: querystring`), which excludes query parameters. */
  readonly querystring?: Querystring | undefined;
  readonly requestBody: RequestBody | undefined;
  /** By status, range (`4XX`) or `default`, references resolved. */
  readonly responses: Readonly<Record<string, ResolvedResponse>>;
  /** As in the document. */
  readonly definition: OperationObject & { operationId: string; responses: Record<string, Response | Reference> };
}

/** A query that is one value (OpenAPI 3.2, `in: querystring`). */
export interface Querystring {
  readonly isRequired: boolean;
  readonly mediaType: string;
  readonly media: MediaTypeObject;
}

/** A response, references resolved. */
export type ResolvedResponse = Omit<Response, 'headers'> & { readonly headers: Readonly<Record<string, Header>> };

/**
 * A contract that was read and checked.
 * @example const { operations } = await loadContract(new URL('openapi.yaml', import.meta.url));
 */
export interface Contract {
  /**
   * One document of OpenAPI 3.1, or 3.2 if written in it, bundled from all files. References point
   * into it; each operation has its operationId, parameters and responses.
   */
  readonly document: OpenApiDocument;
  /** Its files. */
  readonly sources: Sources;
  /** The document in its own version of OpenAPI, bundled into one, with exact integers. */
  readonly original: () => Promise<object>;
  /** The distinct paths of `servers`, without trailing slash; `''` for the root. */
  readonly basePaths: readonly string[];
  readonly operations: readonly Operation[];
}

/** The result of reading a contract. */
export interface ReadContract {
  readonly sources: Sources;
  /** Undefined when the document is too broken for further checks. */
  readonly contract: Contract | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the operations of a bundled document. An operation without operationId gets one from
 * operationIdOf; one without responses may have any response without body; a parameter of the
 * path that is not declared is a string.
 */
export function readOperations(
  document: OpenApiDocument,
  sources: Sources,
  original: Contract['original'],
): ReadContract {
  return new OperationReader(document, sources, original).readAll();
}

interface WrittenOperation {
  /** The path as the contract writes it. */
  readonly key: string;
  readonly path: string;
  readonly item: PathItem;
  readonly method: string;
  readonly original: OperationObject;
}

class OperationReader {
  readonly #document: OpenApiDocument;
  readonly #sources: Sources;
  readonly #original: Contract['original'];
  readonly #ids = new Set<string>();
  /** The path of each shape of a whole path template, as the contract writes it. */
  readonly #shapes = new Map<string, string>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #shared: readonly string[];

  constructor(document: OpenApiDocument, sources: Sources, original: Contract['original']) {
    this.#document = document;
    this.#original = original;
    this.#sources = sources;
    this.#shared = this.#basePaths(document.servers);
  }

  readAll(): ReadContract {
    const written = this.#writtenOperations();
    for (const { original } of written) this.#reserveId(original);
    const operations = written.map((operation) => this.#operation(operation));
    const paths: Record<string, PathItem> = {};
    for (const { path, method, definition } of operations) {
      const { parameters: _, ...item } = paths[path] ?? this.#document.paths[path] ?? {};
      paths[path] = withOperation(item, method, definition);
    }
    const document = { ...this.#document, paths };
    this.#sources.addCopy(document, this.#document);
    const contract = {
      document,
      sources: this.#sources,
      basePaths: this.#shared,
      operations,
      original: this.#original,
    };
    return { sources: this.#sources, contract, diagnostics: this.#diagnostics };
  }

  #writtenOperations(): WrittenOperation[] {
    return Object.entries(this.#document.paths).flatMap(([key, item]) => {
      if (key.startsWith('x-')) return [];
      this.#checkPath(key);
      // Authors use a fragment for one more name.
      const path = withoutFragment(key);
      return operationsOf(item).map(([method, original]) => ({ key, path, item, method, original }));
    });
  }

  #refuseAt(node: object, key: string, reason: string): void {
    this.#diagnostics.push({ node, key, reason });
  }

  #checkPath(path: string): void {
    for (const mistake of pathMistakes(path, isVersion32(this.#document)))
      this.#refuseAt(this.#document.paths, path, `the path ${path} ${mistake}`);
  }

  #reserveId(original: OperationObject): void {
    const { operationId } = original;
    if (operationId === undefined || operationId === '') return;
    if (this.#ids.has(operationId)) {
      const reason = `the operationId ${operationId} is the name of another operation too: rename one of them.`;
      this.#refuseAt(original, 'operationId', reason);
    }
    this.#ids.add(operationId);
  }

  #operation({ key, path, item, method, original }: WrittenOperation): Operation {
    const { operationId = '', requestBody: declared, ...fields } = original;
    const id = operationId === '' ? this.#newId(method, path) : operationId;
    const body = declared && resolve(this.#document, declared);
    // Without a media type there is nothing to send.
    const requestBody = Object.keys(body?.content ?? {}).length === 0 ? undefined : body;
    const given = [...(item.parameters ?? []), ...(original.parameters ?? [])];
    const parameters = operationParameters(this.#document, this.#sources, path, given, this.#diagnostics);
    const resolved = parameters.map((parameter) => resolve(this.#document, parameter));
    const responses = this.#responses(original);
    const bodies = requestBody && declared && { requestBody: declared };
    const definition = { ...fields, ...bodies, operationId: id, parameters, responses };
    this.#sources.addCopy(definition, original);
    const servers = original.servers ?? item.servers;
    const basePaths = servers === undefined ? this.#shared : this.#basePaths(servers);
    this.#requireDistinct(method, key, path, basePaths);
    return {
      ...extensionsOf(original),
      id,
      method,
      path,
      tags: list(original.tags).filter((tag) => typeof tag === 'string'),
      basePaths,
      security: operationSecurity(this.#document, original, this.#diagnostics),
      parameters: resolved.filter((parameter) => !isQuerystring(parameter)),
      querystring: querystringOf(resolved.find(isQuerystring)),
      requestBody,
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, this.#response(response)]),
      ),
      definition,
    };
  }

  /** A response with its headers resolved. */
  #response(reference: Response | Reference): ResolvedResponse {
    const { headers = {}, ...response } = resolve(this.#document, reference);
    const resolved = Object.entries(headers).map(([name, header]): [string, Header] => [
      name,
      resolve(this.#document, header),
    ]);
    return { ...response, headers: Object.fromEntries(resolved) };
  }

  #newId(method: string, path: string): string {
    const wanted = operationIdOf(method, path);
    let id = wanted;
    for (let copy = 2; this.#ids.has(id); copy++) id = `${wanted}${copy}`;
    this.#ids.add(id);
    return id;
  }

  #basePaths(servers: OpenApiDocument['servers']): readonly string[] {
    try {
      return basePathsOf(servers);
    } catch (error) {
      this.#diagnostics.push(...diagnosticsOf(error));
      return [];
    }
  }

  /**
   * Requires that a request is for one operation. OpenAPI calls templates that differ in names only
   * identical; contracts have them with different methods, which cannot be mistaken for each other.
   */
  #requireDistinct(method: string, key: string, path: string, basePaths: readonly string[]): void {
    const { paths } = this.#document;
    for (const basePath of basePaths) {
      const shape = `${method} ${templateShape(basePath + path)}`;
      const same = this.#shapes.get(shape);
      if (same === undefined) this.#shapes.set(shape, key);
      else
        for (const [refusedPath, equalPath] of [
          [key, same],
          [same, key],
        ] as const) {
          const reason = `${method} ${refusedPath} is the same as ${method} ${equalPath}: put one operation under one of these paths.`;
          this.#refuseAt(paths, refusedPath, reason);
        }
    }
  }

  #responses(original: OperationObject): Record<string, Response | Reference> {
    const responses: Record<string, Response | Reference> = {};
    for (const [key, response] of Object.entries(original.responses ?? {})) {
      if (key.startsWith('x-')) continue;
      const status = key.replace(/^([1-5])xx$/i, '$1XX');
      if (!/^(?:[1-5]\d\d|[1-5]XX|default)$/.test(status)) {
        const reason = `a status is a number such as 204, a range such as 4XX or 'default', not '${key}'.`;
        this.#refuseAt(original.responses ?? {}, key, reason);
      }
      responses[status] = response;
    }
    const [first] = Object.keys(responses);
    if (first !== undefined && Object.keys(responses).every((status) => status.startsWith('1'))) {
      const reason = `${first} announces another response (RFC 9110, section 15.2): declare the final status too, such as 204.`;
      this.#refuseAt(original.responses ?? {}, first, reason);
    }
    return first !== undefined ? responses : { default: { description: 'Any status.' } };
  }
}

/** Its content was checked: it has one media type. */
function querystringOf(parameter: Parameter | undefined): Querystring | undefined {
  const [content] = Object.entries(parameter?.content ?? {});
  if (content === undefined) return undefined;
  return { isRequired: parameter?.required === true, mediaType: content[0], media: content[1] };
}

/** The fields of an object whose names begin with `x-`. */
function extensionsOf(node: object): Readonly<Record<`x-${string}`, unknown>> {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name.startsWith('x-')));
}

/**
 * The key of the response that describes a status: its own, its range or `default`; undefined
 * without one. Where a success is declared, `default` describes failures alone.
 */
export function declaredStatus(responses: Operation['responses'], status: number): string | undefined {
  const exact = String(status);
  if (Object.hasOwn(responses, exact)) return exact;
  const range = `${exact.charAt(0)}XX`;
  if (Object.hasOwn(responses, range)) return range;
  if (!Object.hasOwn(responses, 'default')) return undefined;
  return status < 400 && Object.keys(responses).some((key) => key.startsWith('2')) ? undefined : 'default';
}

import FindMyWay, { type HTTPMethod } from 'find-my-way';
import { RequestError } from '../errors.ts';
import type { Contract, Operation } from './document/load.ts';
import type { Method } from './document/openapi-document.ts';

/** The target of a request, with the texts of its path parameters, still percent-encoded. */
export interface Match<T> {
  /** Undefined for OPTIONS where the contract does not declare it. */
  readonly target: T | undefined;
  readonly params: Record<string, string>;
  /** The methods of the path, for the header `Allow`. */
  readonly allow: string;
}

interface Route<T> {
  /** Names of its parameters, in the contract and in the router. */
  readonly names: readonly { readonly name: string; readonly key: string }[];
  readonly targets: Map<string, T>;
  readonly allow: string;
}

/**
 * All paths are kept under one method of the router, so that one search tells 404 and 405 apart.
 */
const ANY: HTTPMethod = 'GET';

const UNKNOWN_PATH = new RequestError(
  'unknownPath',
  'There is no such path: see the contract, openapi.yaml, for those there are.',
);

/**
 * Finds the operation of a request, in constant time whatever their number. Paths are
 * case-sensitive.
 */
export class Matcher<T> {
  readonly #router = FindMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });

  /**
   * @param targets the target of each operation. The contract was checked: the router supports its
   * paths.
   */
  constructor({ basePaths }: Contract, targets: ReadonlyMap<Operation, T>) {
    for (const [path, route] of routes(targets)) {
      for (const basePath of basePaths) this.#router.on(ANY, pattern(basePath + path), unused, route);
    }
  }

  /**
   * @throws RequestError malformedUrl, unknownPath, or methodNotAllowed with `Allow` (RFC 9110,
   * section 15.5.6).
   */
  match(method: string, path: string): Match<T> {
    if (path.includes('%')) requireWellFormed(path);
    // The router decodes once: what stays encoded is encoded twice.
    const found = this.#router.find(ANY, path.includes('%') ? encodedTwice(path) : path);
    if (found === null) throw UNKNOWN_PATH;
    // The constructor registers every route with a Route as its store.
    const route = found.store as Route<T>;
    const params: Record<string, string> = {};
    for (const { name, key } of route.names) {
      const value = found.params[key] ?? '';
      // The router lets a parameter be empty; a path template does not (OpenAPI 3.1, "Path
      // Templating").
      if (value === '') throw UNKNOWN_PATH;
      params[name] = value;
    }
    const { targets, allow } = route;
    // GET without the body (RFC 9110, section 9.3.2).
    const target = targets.get(method) ?? (method === 'HEAD' ? targets.get('GET') : undefined);
    if (target !== undefined || method === 'OPTIONS') return { target, params, allow };
    const message = `${method} is not allowed on this path, use one of: ${allow}.`;
    throw new RequestError('methodNotAllowed', message, { headers: { Allow: allow } });
  }
}

function routes<T>(targets: ReadonlyMap<Operation, T>): Map<string, Route<T>> {
  const routes = new Map<string, Route<T>>();
  for (const path of new Set([...targets.keys()].map((operation) => operation.path))) {
    const here = [...targets].filter(([operation]) => operation.path === path);
    routes.set(path, {
      names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ''], index) => ({ name, key: `p${index}` })),
      targets: new Map(here.map(([{ method }, target]) => [method, target])),
      allow: allowed(here.map(([{ method }]) => method)).join(', '),
    });
  }
  return routes;
}

/** The declared methods with those that follow from them. */
function allowed(declared: readonly Method[]): readonly string[] {
  const head: readonly Method[] = declared.includes('GET') ? ['HEAD'] : [];
  return [...new Set([...declared, ...head, 'OPTIONS'])];
}

/**
 * The router's pattern for a path template; parameters are numbered, because their names may hold
 * any character.
 */
function pattern(path: string): string {
  let index = 0;
  return path.replaceAll(':', '::').replaceAll(/\{[^}]+\}/g, () => `:p${index++}`);
}

/** Characters that need no encoding are the same with and without it (RFC 3986, section 6.2.2.2). */
function encodedTwice(path: string): string {
  return path.replaceAll(/%([0-9a-f]{2})/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w~-]/.test(character) ? character : encoded.toUpperCase().replace('%', '%25');
  });
}

function requireWellFormed(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (cause) {
    const message = "The URL's percent-encoding must be UTF-8, two hexadecimal digits after each %.";
    throw new RequestError('malformedUrl', message, { cause });
  }
}

/** The router requires a handler for each route. It is never called. */
function unused(): void {}

import FindMyWay, { type HTTPMethod } from 'find-my-way';
import { OperatorError, RequestError } from '../errors.ts';
import type { Contract, Operation } from './document/load.ts';

/** What a request is for, with the percent-decoded texts of its path parameters. */
export interface Match<T> {
  readonly target: T;
  readonly params: Record<string, string>;
}

/** Finds the target for a method and the path of a request. */
export type Matcher<T> = (method: string, path: string) => Match<T>;

interface Route<T> {
  /** Of its parameters: in the contract, and in the router. */
  readonly names: readonly { readonly name: string; readonly key: string }[];
  readonly targets: Map<string, T>;
  readonly allow: string;
}

/** All paths are kept under one method of the router, so that one search tells 404 and 405 apart. */
const ANY: HTTPMethod = 'GET';

/**
 * A matcher for all operations of a contract, each of which leads to its target. Its time does
 * not grow with their number. Paths are case-sensitive and have no optional trailing slash.
 *
 * The matcher throws a RequestError: malformedUrl, unknownPath or methodNotAllowed (with `Allow`, RFC 9110 15.5.6).
 * @throws OperatorError when a path template uses what the matcher cannot express.
 */
export function createMatcher<T>({ basePaths }: Contract, targets: ReadonlyMap<Operation, T>): Matcher<T> {
  const router = FindMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  });
  for (const [path, route] of routes(targets)) {
    for (const basePath of basePaths) router.on(ANY, pattern(basePath + path), unused, route);
  }
  return (method, path) => {
    if (path.includes('%')) requireWellFormed(path);
    const found = router.find(ANY, path);
    if (found === null) throw UNKNOWN_PATH;
    // Every route was registered above with a Route as its store.
    const route = found.store as Route<T>;
    const params: Record<string, string> = {};
    for (const { name, key } of route.names) {
      const value = found.params[key] ?? '';
      // The router lets a parameter be empty; a path template does not (OpenAPI 3.1, "Path Templating").
      if (value === '') throw UNKNOWN_PATH;
      params[name] = value;
    }
    const target = route.targets.get(method);
    if (target === undefined) {
      throw new RequestError('methodNotAllowed', `${method} is not allowed on this path, use one of: ${route.allow}.`, {
        headers: { Allow: route.allow },
      });
    }
    return { target, params };
  };
}

/** It says the same each time, so it is made once. */
const UNKNOWN_PATH = new RequestError(
  'unknownPath',
  'There is no such path: see the contract, openapi.yaml, for those there are.',
);

function routes<T>(targets: ReadonlyMap<Operation, T>): Map<string, Route<T>> {
  const routes = new Map<string, Route<T>>();
  for (const path of new Set([...targets.keys()].map((operation) => operation.path))) {
    const here = [...targets].filter(([operation]) => operation.path === path);
    routes.set(path, {
      names: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ''], index) => ({ name, key: `p${index}` })),
      targets: new Map(here.map(([{ method }, target]) => [method, target])),
      allow: here.map(([{ method }]) => method).join(', '),
    });
  }
  return routes;
}

/** The router's pattern for a path template; parameters are numbered, because their names may hold any character. */
function pattern(path: string): string {
  if (/[*()]|\}\{/.test(path)) {
    throw new OperatorError(
      `The path ${path} cannot be served: '*', '(', ')' and two parameters without text between.`,
    );
  }
  let index = 0;
  return path.replaceAll(':', '::').replaceAll(/\{[^}]+\}/g, () => `:p${index++}`);
}

function requireWellFormed(path: string): void {
  try {
    decodeURIComponent(path);
  } catch (cause) {
    throw new RequestError(
      'malformedUrl',
      "The URL's percent-encoding must be UTF-8, two hexadecimal digits after each %.",
      {
        cause,
      },
    );
  }
}

/** The router wants a handler for each route; ours only looks up. */
function unused(): void {}

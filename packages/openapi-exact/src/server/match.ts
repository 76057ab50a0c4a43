import { RequestError } from '../errors/errors.ts';
import type { Operation } from '../document/read-contract.ts';
import {
  collectValues,
  normalizePath,
  segmentPattern,
  templateQuery,
  templateSegments,
  type Segment,
  type SegmentPattern,
} from '../document/path-template.ts';
import { decodePercent } from '../http/percent-encoding.ts';
import { setOwn } from '../json/set-own.ts';

/** The target of a request, with the texts of its path parameters, still percent-encoded. */
export interface Match<T> {
  /** Undefined for an OPTIONS request that no operation declares: its response is `allow`. */
  readonly target: T | undefined;
  readonly params: Record<string, string>;
  /** The query without the part that the path of the contract fixes. */
  readonly query: string;
  /** The methods of the path, or for `*` of all, for `Allow` (RFC 9110, section 10.2.1). */
  readonly allow: string;
}

/** The operations of one path, by method; each names the parameters in its own way. */
interface Route<T> {
  /** Those whose path has more of a query come first. */
  readonly operations: Map<string, Candidate<T>[]>;
  readonly segments: readonly Segment[];
  allow: string;
}

/** An operation, and what its path asks of the query. */
interface Candidate<T> {
  readonly target: T;
  readonly names: readonly string[];
  readonly query: readonly string[];
}

/** A segment with parameters, and what may follow it. */
interface Branch<T> extends SegmentPattern {
  readonly next: SegmentNode<T>;
}

/** The segments that may follow. */
class SegmentNode<T> {
  readonly literal = new Map<string, SegmentNode<T>>();
  /** The one with the longest literal text comes first: the most concrete. */
  readonly branches: Branch<T>[] = [];
  route: Route<T> | undefined;
}

const UNKNOWN_PATH = new RequestError('unknownPath', 'The contract declares no such path: use one that it declares.');

/**
 * Finds the operation of a request in a tree of path segments, in constant time whatever their
 * number. Concrete segments come before templated ones (OpenAPI 3.1, "Paths Object"). Paths are
 * case-sensitive, a parameter is never empty, and literals have one form: Express compares the path
 * of a middleware with the target as it was sent.
 */
export class Matcher<T> {
  readonly #root = new SegmentNode<T>();
  /** Of all paths. */
  readonly #methods = new Set<string>();

  /**
   * @param targets the target of each operation. The contract was checked: each request is for one.
   * @param hasBasePaths whether paths begin with those of the contract's servers.
   */
  constructor(targets: ReadonlyMap<Operation, T>, hasBasePaths = true) {
    for (const [{ basePaths, path, method }, target] of targets) {
      for (const basePath of hasBasePaths ? basePaths : ['']) this.#add(basePath + path, method, target);
    }
  }

  #add(template: string, method: string, target: T): void {
    const segments = templateSegments(template);
    const node = segments.reduce(nodeAfter, this.#root);
    const names = segments.flatMap((segment) => segment.names);
    const route: Route<T> = (node.route ??= { operations: new Map<string, Candidate<T>[]>(), segments, allow: '' });
    const candidates = [...(route.operations.get(method) ?? []), { target, names, query: templateQuery(template) }];
    candidates.sort((a, b) => b.query.length - a.query.length);
    route.operations.set(method, candidates);
    route.allow = allowOf(route.operations.keys());
    this.#methods.add(method);
  }

  /**
   * HEAD leads to the target of GET, unless it is declared.
   * @param query the text after the `?`.
   * @throws RequestError malformedUrl, unknownPath, or methodNotAllowed with `Allow` (RFC 9110,
   * section 15.5.6).
   */
  match(method: string, path: string, query = ''): Match<T> {
    const segments = normalizePath(path).split('/');
    const values: string[] = [];
    const route = findRoute(this.#root, segments, 1, values);
    if (route === undefined) {
      // `OPTIONS *` asks what the whole server can do (RFC 9110, section 9.3.7).
      if (method !== 'OPTIONS' || path !== '*') throw UNKNOWN_PATH;
      return { target: undefined, params: {}, query, allow: allowOf(this.#methods) };
    }
    // For its errors: parameters are decoded later.
    decodePercent(path);
    requireNoFragment(path);
    requireNoFragment(query);
    if (!isWritten(route.segments, path, values)) throw UNKNOWN_PATH;
    const { operations, allow } = route;
    const candidates = operations.get(method) ?? (method === 'HEAD' ? operations.get('GET') : undefined);
    if (candidates === undefined) {
      if (method === 'OPTIONS') return { target: undefined, params: {}, query, allow };
      const message = `${method} is not allowed on this path, use one of: ${allow}.`;
      throw new RequestError('methodNotAllowed', message, { headers: { Allow: allow } });
    }
    const candidate = matchingCandidate(query, candidates);
    if (candidate === undefined) throw UNKNOWN_PATH;
    const { target, names, query: own } = candidate;
    const params: Record<string, string> = {};
    for (let index = 0; index < names.length; index++) setOwn(params, names[index] ?? '', values[index] ?? '');
    return { target, params, allow, query: own.length === 0 ? query : without(own, query) };
  }
}

/** Whether a path has the literals of a route in their one form; values have any encoding. */
function isWritten(segments: readonly Segment[], path: string, values: readonly string[]): boolean {
  const found: string[] = [];
  const texts = path.split('/').slice(1);
  const areLiterals = segments.every(({ names, written }, index) => {
    const text = texts[index] ?? '';
    return names.length === 0 ? text === written[0] : collectValues(segmentPattern(written), text, found);
  });
  // An encoded literal text may belong to a value.
  return areLiterals && found.every((value, index) => normalizePath(value) === values[index]);
}

/** A program in front of this one may have read the target up to the fragment, which has none. */
function requireNoFragment(text: string): void {
  if (!text.includes('#')) return;
  throw new RequestError('malformedUrl', "The URL must have no '#': write it as %23, or leave the fragment out.");
}

/** The methods of operations, and those that come with them. */
function allowOf(methods: Iterable<string>): string {
  const all = new Set(methods);
  for (const implied of all.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']) all.add(implied);
  return [...all].join(', ');
}

/** The operation whose path asks for nothing that the query does not have. */
function matchingCandidate<T>(query: string, candidates: readonly Candidate<T>[]): Candidate<T> | undefined {
  const [first] = candidates;
  if (first?.query.length === 0) return first;
  const parts = query.split('&');
  return candidates.find((candidate) => candidate.query.every((part) => parts.includes(part)));
}

/** A query without some of its parts. */
function without(own: readonly string[], query: string): string {
  const parts = query.split('&');
  return parts.filter((part) => !own.includes(part)).join('&');
}

/** The node after a segment of a template, which is added if it is new. */
function nodeAfter<T>(node: SegmentNode<T>, { literals, names }: Segment): SegmentNode<T> {
  if (names.length === 0) {
    const next = node.literal.get(literals[0]) ?? new SegmentNode<T>();
    node.literal.set(literals[0], next);
    return next;
  }
  const known = node.branches.find((branch) => branch.literals.join('{}') === literals.join('{}'));
  if (known !== undefined) return known.next;
  const next = new SegmentNode<T>();
  node.branches.push({ ...segmentPattern(literals), next });
  node.branches.sort((a, b) => b.literals.join('').length - a.literals.join('').length);
  return next;
}

/** The route of the segments from `at` on. Adds the texts of its parameters to `values`. */
function findRoute<T>(
  node: SegmentNode<T>,
  segments: readonly string[],
  at: number,
  values: string[],
): Route<T> | undefined {
  const text = segments[at];
  if (text === undefined) return node.route;
  const literal = node.literal.get(text);
  const concrete = literal && findRoute(literal, segments, at + 1, values);
  if (concrete !== undefined) return concrete;
  for (const branch of node.branches) {
    const before = values.length;
    const route = collectValues(branch, text, values) ? findRoute(branch.next, segments, at + 1, values) : undefined;
    if (route !== undefined) return route;
    values.length = before;
  }
  return undefined;
}

import { Router, type NextFunction, type Request, type Response } from 'express';
import type { Contract } from 'openapi-exact';
import { apiReference } from 'openapi-exact-reference';
import { OperatorError, ServiceError } from './errors.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';

/** Where clients and generators look for the contract; it is below /docs as well. */
const CONTRACT_PATHS = ['/openapi.json', '/openapi.yaml'];

/** Paths that lead to the page, unless the contract has them. */
const REDIRECTS = ['/', '/docs/'];

/** The API reference at `/docs`. */
export class Docs {
  /** Replaces the library's response to an unknown path. */
  readonly unknownPath = new ServiceError(
    'unknownPath',
    'There is no such path: the API reference at /docs shows those there are.',
  );
  /** Answers the requests that {@link isFor} accepts. */
  readonly router = Router({ caseSensitive: true });
  /** Its paths, for GET and HEAD: the page, its parts and the contract. */
  readonly paths: readonly string[];
  readonly #served: ReadonlySet<string>;

  /** @throws OperatorError when the contract has one of its paths. */
  constructor(contract: Contract) {
    const reference = apiReference({ contract, clientPackage: 'plant-store-client' });
    this.router.use(requireRead);
    this.router.use('/docs', reference);
    this.router.get(CONTRACT_PATHS, reference);
    this.router.get('/', redirectToPage);
    this.paths = [...reference.paths.map((path) => (path === '/' ? '/docs' : `/docs${path}`)), ...CONTRACT_PATHS];
    const taken = this.paths.find((path) => !isUnusedPath(contract, path));
    if (taken !== undefined) {
      throw new OperatorError(
        `The contract has a path for ${taken}, where the API reference is: set DOCS=off, or give the operation another path.`,
      );
    }
    this.#served = new Set([...this.paths, ...REDIRECTS.filter((path) => isUnusedPath(contract, path))]);
  }

  /** Whether a request target is for the API reference. */
  isFor(target: string): boolean {
    const end = target.indexOf('?');
    return this.#served.has(end === -1 ? target : target.slice(0, end));
  }
}

/** @throws RequestError methodNotAllowed. */
function requireRead({ method }: Request, _response: Response, next: NextFunction): void {
  if (method !== 'GET' && method !== 'HEAD') {
    const message = `${method} is not allowed on this path, use one of: GET, HEAD.`;
    throw new ServiceError('methodNotAllowed', message, { headers: { Allow: 'GET, HEAD' } });
  }
  next();
}

/** Temporary, since the page can be turned off; relative, for a proxy that adds a path in front. */
function redirectToPage(_request: Request, response: Response): void {
  response
    .set({ ...SECURITY_HEADERS, Location: 'docs' })
    .status(302)
    .end();
}

/** Whether no operation of the contract may have this path. */
function isUnusedPath({ operations }: Contract, path: string): boolean {
  return !operations.some(({ basePaths, path: template }) =>
    basePaths.some((basePath) => templatePattern(basePath + template).test(path)),
  );
}

/** The paths of a template, such as `/plants/{id}`. */
function templatePattern(template: string): RegExp {
  const [path = ''] = template.split('?');
  const literals = path
    .split(/\{[^}]*\}/)
    .map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return new RegExp(`^${literals.join('[^/]+')}$`);
}

import type { Request, Response } from 'express';
import type { Contract } from '../contract/document/load.ts';
import { Matcher } from '../contract/match.ts';
import { OperatorError, RequestError } from '../errors.ts';

/** The paths of the API reference and its files, for GET and HEAD. */
export const DOCS_PATHS = [
  '/docs',
  '/docs/page.css',
  '/docs/page.js',
  '/docs/icon.png',
  '/docs/lossless-json.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui.js',
  '/openapi.json',
  '/openapi.yaml',
] as const;

/** A path of {@link DOCS_PATHS}. */
export type DocsPath = (typeof DOCS_PATHS)[number];

/**
 * The API reference and the contract's text. They take precedence over the contract's operations.
 */
export interface Docs {
  /** The path that a request target names; undefined for all others. */
  readonly pathOf: (target: string) => DocsPath | undefined;
  /** @throws RequestError methodNotAllowed. */
  readonly answer: (path: DocsPath, request: Request, response: Response) => Promise<void>;
}

/**
 * The API reference of a contract. Its files are loaded with the first request, not at the start.
 * @throws OperatorError when the contract declares one of its paths.
 */
export function createDocs(contract: Contract): Docs {
  requireFreePaths(contract);
  const paths = new Map<string, DocsPath>(DOCS_PATHS.map((path) => [path, path]));
  let loaded: Promise<Docs['answer']> | undefined;
  return {
    pathOf: (target) => {
      // The fast path of most requests.
      if (!target.startsWith('/docs') && !target.startsWith('/openapi.')) return undefined;
      const end = target.indexOf('?');
      return paths.get(end === -1 ? target : target.slice(0, end));
    },
    answer: async (path, request, response) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new RequestError(
          'methodNotAllowed',
          `${request.method} is not allowed on this path, use one of: GET, HEAD.`,
          {
            headers: { Allow: 'GET, HEAD' },
          },
        );
      }
      loaded ??= import('./answer-docs.ts').then(({ answerDocs }) => answerDocs(contract));
      // Retries a failed load with the next request.
      loaded.catch(() => (loaded = undefined));
      await (
        await loaded
      )(path, request, response);
    },
  };
}

function requireFreePaths(contract: Contract): void {
  const matcher = new Matcher(contract, new Map(contract.operations.map((operation) => [operation, operation])));
  for (const path of DOCS_PATHS) {
    try {
      matcher.match('GET', path);
    } catch (error) {
      if (error instanceof RequestError && error.reason === 'unknownPath') continue;
    }
    throw new OperatorError(
      `The contract has a path for ${path}, where the API reference is: set DOCS=off, or give the operation another path.`,
    );
  }
}

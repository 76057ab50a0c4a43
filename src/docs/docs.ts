import type { Request, Response } from 'express';
import type { Contract } from '../contract/document/load.ts';
import { Matcher } from '../contract/match.ts';
import { OperatorError, RequestError } from '../errors.ts';

/** Where the API reference is, and what belongs to it; all of it answers GET and HEAD. */
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

/** A page to read and try a contract, and the contract itself. They stand in front of its operations and are none of them. */
export interface Docs {
  /** Which of these paths a request target is for; undefined: none. */
  readonly pathOf: (target: string) => DocsPath | undefined;
  /** @throws RequestError methodNotAllowed. */
  readonly answer: (path: DocsPath, request: Request, response: Response) => Promise<void>;
}

/**
 * The API reference of a contract. What it is made of is loaded with the first request for it: a start has no use for it.
 * @throws OperatorError when the contract has one of its paths.
 */
export function createDocs(contract: Contract): Docs {
  requireFreePaths(contract);
  const paths = new Map<string, DocsPath>(DOCS_PATHS.map((path) => [path, path]));
  let loaded: Promise<Docs['answer']> | undefined;
  return {
    pathOf: (target) => {
      // Where most requests end.
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
      // A file that could not be read is tried again with the next request.
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

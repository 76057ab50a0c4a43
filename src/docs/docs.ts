import type { Request, Response } from 'express';
import type { Contract } from '../contract/document/load.ts';
import { Matcher } from '../contract/match.ts';
import { respond } from '../contract/respond.ts';
import { OperatorError, RequestError } from '../errors.ts';
import type { AnswerDocs } from './answer-docs.ts';
import { DOCS_PATHS, DOCS_REDIRECTS, type DocsPath, type DocsRedirect } from './paths.ts';

/** A path that the API reference answers. */
export type DocsTarget = DocsPath | DocsRedirect;

/** The answer to a path that neither the contract nor the API reference has. */
const UNKNOWN_PATH = new RequestError(
  'unknownPath',
  'There is no such path: the API reference at /docs shows those there are.',
);

const METHODS = ['GET', 'HEAD'];

/** The API reference: a page to read and try a contract, and the contract itself. */
export class Docs {
  /** Replaces the engine's answer to an unknown path. */
  readonly unknownPath = UNKNOWN_PATH;
  readonly #contract: Contract;
  readonly #paths: ReadonlyMap<string, DocsTarget>;
  #loaded: Promise<AnswerDocs> | undefined;

  /** @throws OperatorError when the contract has one of {@link DOCS_PATHS}. */
  constructor(contract: Contract) {
    this.#contract = contract;
    const matcher = new Matcher(new Map(contract.operations.map((operation) => [operation, operation])));
    const taken = DOCS_PATHS.find((path) => !isFree(matcher, path));
    if (taken !== undefined) {
      throw new OperatorError(
        `The contract has a path for ${taken}, where the API reference is: set DOCS=off, or give the operation another path.`,
      );
    }
    const redirects = Object.keys(DOCS_REDIRECTS).filter(isRedirect);
    const paths = [...DOCS_PATHS, ...redirects.filter((path) => isFree(matcher, path))];
    this.#paths = new Map(paths.map((path) => [path, path]));
  }

  /** The path of the API reference that a request target is for; undefined if there is none. */
  pathOf(target: string): DocsTarget | undefined {
    const end = target.indexOf('?');
    return this.#paths.get(end === -1 ? target : target.slice(0, end));
  }

  /**
   * Answers a request for one of its paths. The first request loads the files: a start does not
   * need them.
   * @throws RequestError methodNotAllowed.
   */
  async answer(path: DocsTarget, request: Request, response: Response): Promise<void> {
    if (!METHODS.includes(request.method)) {
      const allow = METHODS.join(', ');
      const message = `${request.method} is not allowed on this path, use one of: ${allow}.`;
      throw new RequestError('methodNotAllowed', message, { headers: { Allow: allow } });
    }
    if (isRedirect(path)) {
      // Temporary: the page can be turned off.
      await respond(response, { status: 302, headers: { Location: DOCS_REDIRECTS[path] } });
      return;
    }
    const answer = await this.#load();
    answer(path, request, response);
  }

  async #load(): Promise<AnswerDocs> {
    this.#loaded ??= import('./answer-docs.ts').then(({ answerDocs }) => answerDocs(this.#contract));
    try {
      return await this.#loaded;
    } catch (error) {
      // The next request reads the files again.
      this.#loaded = undefined;
      throw error;
    }
  }
}

function isRedirect(path: string): path is DocsRedirect {
  return Object.hasOwn(DOCS_REDIRECTS, path);
}

function isFree(matcher: Matcher<unknown>, path: string): boolean {
  try {
    matcher.match('GET', path);
  } catch (error) {
    return error instanceof RequestError && error.reason === 'unknownPath';
  }
  return false;
}

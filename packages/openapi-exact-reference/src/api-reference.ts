import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Contract } from 'openapi-exact';
import { OperatorError, ServiceError } from '../errors.ts';
import { SECURITY_HEADERS } from '../http/security-headers.ts';
import { isHost } from '../http/unambiguous.ts';
import { localsOf } from '../logging/locals.ts';
import type { ContractTexts } from './contract-texts.ts';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The modules of the page. */
const MODULES = [
  ...['page', 'about-view', 'contract', 'credentials', 'element', 'example', 'fields', 'markdown', 'operation-view'],
  ...['request', 'request-panel', 'response-view', 'samples', 'schema-view', 'sidebar'],
];

/** The files that are the same for all clients: media type, and file or package. */
const FILES: Readonly<Record<string, readonly [type: string, file: string]>> = {
  '/docs': [HTML, './page/page.html'],
  '/docs/page.css': [CSS, './page/page.css'],
  '/docs/icon.svg': ['image/svg+xml', './page/icon.svg'],
  ...Object.fromEntries(MODULES.map((name) => [`/docs/${name}.js`, [SCRIPT, `./page/${name}.js`] as const])),
  // These packages run in browsers as they are.
  '/docs/lossless-json.js': [SCRIPT, 'lossless-json'],
  '/docs/marked.js': [SCRIPT, 'marked'],
};

/** The paths of the API reference, for GET and HEAD: the page, its parts and the contract. */
export const DOCS_PATHS = [...Object.keys(FILES), '/openapi.json', '/openapi.yaml'];

/**
 * Paths that lead to the page, each with a `Location`. It is relative, so that it holds behind a
 * proxy that serves the service under a path of its own.
 */
const REDIRECTS: Readonly<Record<string, string>> = { '/': 'docs', '/docs/': '../docs' };

/** The page may load its own parts and send requests to the service that it came from. */
const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  // Revalidated each time: after an upgrade the parts must fit together.
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

/** What is read at the first request: a start does not need it. */
interface Loaded {
  readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly headers: Record<string, string> }>;
  readonly texts: ContractTexts;
}

/** The API reference: a page to read and try a contract, and the contract itself. */
export class Docs {
  /** Replaces the library's response to an unknown path. */
  readonly unknownPath = new ServiceError(
    'unknownPath',
    'There is no such path: the API reference at /docs shows those there are.',
  );
  readonly #contract: Contract;
  readonly #paths: ReadonlySet<string>;
  #loaded: Promise<Loaded> | undefined;

  /** @throws OperatorError when the contract has one of {@link DOCS_PATHS}. */
  constructor(contract: Contract) {
    this.#contract = contract;
    const taken = DOCS_PATHS.find((path) => !isUnusedPath(contract, path));
    if (taken !== undefined) {
      throw new OperatorError(
        `The contract has a path for ${taken}, where the API reference is: set DOCS=off, or give the operation another path.`,
      );
    }
    this.#paths = new Set([...DOCS_PATHS, ...Object.keys(REDIRECTS).filter((path) => isUnusedPath(contract, path))]);
  }

  /** The path of the API reference that a request target is for; undefined if there is none. */
  pathOf(target: string): string | undefined {
    const end = target.indexOf('?');
    const path = end === -1 ? target : target.slice(0, end);
    return this.#paths.has(path) ? path : undefined;
  }

  /** Answers a request for one of its paths. @throws RequestError methodNotAllowed. */
  async sendDocs(path: string, request: Request, response: Response): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const message = `${request.method} is not allowed on this path, use one of: GET, HEAD.`;
      throw new ServiceError('methodNotAllowed', message, { headers: { Allow: 'GET, HEAD' } });
    }
    const { requestId } = localsOf(response);
    const location = REDIRECTS[path];
    if (location !== undefined) {
      // Temporary: the page can be turned off.
      response.set({ ...SECURITY_HEADERS, 'X-Request-Id': requestId, Location: location });
      response.status(302).end();
      return;
    }
    const { files, texts } = await this.#load();
    response.set({ ...PAGE_HEADERS, 'X-Request-Id': requestId });
    const file = files.get(path);
    if (file !== undefined) {
      response.set(file.headers).send(file.body);
      return;
    }
    const format = path === '/openapi.json' ? 'json' : 'yaml';
    // Not cached: it names the host of the request.
    response.set({ 'Cache-Control': 'no-store', 'Content-Type': `application/${format}; charset=utf-8` });
    response.send(texts[format](baseUrlsOf(request, this.#contract.basePaths)));
  }

  async #load(): Promise<Loaded> {
    this.#loaded ??= load(this.#contract);
    try {
      return await this.#loaded;
    } catch (error) {
      // The next request reads the files again.
      this.#loaded = undefined;
      throw error;
    }
  }
}

async function load(contract: Contract): Promise<Loaded> {
  const { readContractTexts } = await import('./contract-texts.ts');
  const modules = createRequire(import.meta.url);
  const files = new Map<string, { body: Buffer; headers: Record<string, string> }>();
  for (const [path, [type, file]] of Object.entries(FILES)) {
    const body = await readFile(modules.resolve(file));
    const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    files.set(path, { body, headers: { 'Content-Type': type, ETag: tag } });
  }
  return { files, texts: await readContractTexts(contract) };
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

/**
 * The URLs of the contract for a client: the scheme and host of its request, or a trusted proxy's,
 * with the contract's base paths. Undefined for an invalid host or hosts from several proxies.
 */
function baseUrlsOf(request: Request, basePaths: readonly string[]): string[] | undefined {
  // Each proxy adds a host. Express takes the first, which a client may have forged.
  if (request.app.enabled('trust proxy') && request.get('X-Forwarded-Host')?.includes(',') === true) return undefined;
  const { protocol, host } = request;
  // X-Forwarded-* may hold any text, and HTTP/1.0 allows a missing Host, unlike Express's types.
  if (!['http', 'https'].includes(protocol) || typeof host !== 'string' || !isHost(host)) return undefined;
  if (!URL.canParse(`${protocol}://${host}`)) return undefined;
  const { origin } = new URL(`${protocol}://${host}`);
  return basePaths.map((path) => `${origin}${path === '' ? '/' : path}`.replace(/\/$/, ''));
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ConfigurationError, type Contract } from 'openapi-exact';
import { baseUrlsOf } from './base-urls.ts';
import type { ContractTexts } from './contract-texts.ts';
import { PART_PATHS, readPageFiles, taggedFile, type PageFile, type PageFiles, type PagePlace } from './page-files.ts';

/**
 * Options of {@link apiReference}.
 * @example
 * // The contract is mounted elsewhere: app.use('/api', await contractMiddleware({ … })).
 * app.use('/docs', apiReference({ contract, apiPath: '/api' }));
 */
export interface ApiReferenceOptions {
  /** The contract, as `loadContract` returns it. */
  readonly contract: Contract;
  /**
   * The path at which `contractMiddleware` is mounted, as in `/api`. By default the folder of the
   * reference's own path: `/` for a reference at `/docs`, `/api` for one at `/api/docs`.
   */
  readonly apiPath?: string | undefined;
  /**
   * The package whose `createClient` is bound to the contract. Samples in TypeScript import it;
   * by default, `openapi-exact/client` and the files that `openapi-exact generate` writes.
   */
  readonly clientPackage?: string | undefined;
  /**
   * The classes of custom formats, as `openapi-exact generate --format` takes them: `Date`, or with
   * its package `Decimal:decimal.js`. Samples in TypeScript construct them from the text.
   */
  readonly formats?: Readonly<Record<string, string>> | undefined;
}

/** The middleware that {@link apiReference} returns. */
export interface ApiReference extends RequestHandler {
  /** What it answers: paths below its mount, `/` for the page itself. */
  readonly paths: readonly string[];
}

const OPTIONS = ['contract', 'apiPath', 'clientPackage', 'formats'];

/** The page may load its own parts, and send requests to the service that it came from. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  // Revalidated each time: after an upgrade the parts must fit together.
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The contract's own texts, with their media types (RFC 9512 for YAML). */
const TEXTS = { '/openapi.json': 'json', '/openapi.yaml': 'yaml' } as const;

/** Where the values of requests have formats, which the page asks for beside the contract. */
const PLACES = '/places.json';

/**
 * Creates an Express middleware that serves a page to read and try a contract, with the contract as
 * `openapi.yaml` and `openapi.json`. Other paths and methods go to `next()`. The files are read at
 * the first request.
 * @throws ConfigurationError for options that are not what they must be.
 * @example
 * const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 * app.use('/docs', apiReference({ contract }));
 */
export function apiReference(options: ApiReferenceOptions): ApiReference {
  requireOptions(options);
  const reference = new Reference(options);
  const paths = ['/', ...PART_PATHS, PLACES, ...Object.keys(TEXTS)];
  return Object.assign(reference.serve.bind(reference), { paths });
}

/** The files that are read at the first request, not at the start. */
interface Loaded {
  readonly page: PageFiles;
  readonly texts: ContractTexts;
  readonly serverNames: ReadonlyMap<string, string>;
  /** Made once, when it is first asked for: that takes long for a large contract. */
  readonly places: () => PageFile;
}

/** Answers the requests for the page, its parts and the contract. */
class Reference {
  readonly #options: ApiReferenceOptions;
  #loaded: Promise<Loaded> | undefined;

  constructor(options: ApiReferenceOptions) {
    this.#options = options;
  }

  async serve(request: Request, response: Response, next: NextFunction): Promise<void> {
    const [path = ''] = request.url.split('?', 1);
    if (!['GET', 'HEAD'].includes(request.method) || !isServed(path)) {
      next();
      return;
    }
    const mount = request.baseUrl;
    if (path === '/' && mount !== '' && hasTrailingSlash(request)) {
      // Temporary: the page can be turned off. Relative: a proxy may serve it under a longer path.
      response.set({ ...HEADERS, 'Cache-Control': 'no-store', Location: `../${lastSegment(mount)}` });
      response.status(302).end();
      return;
    }
    const { page, texts, serverNames, places } = await this.#load();
    const file = path === '/' ? page.html(this.#placeAt(mount)) : path === PLACES ? places() : page.parts.get(path);
    if (file !== undefined) {
      response.set({ ...HEADERS, ...file.headers }).send(file.body);
      return;
    }
    const format = path === '/openapi.json' ? 'json' : 'yaml';
    // Not cached: it names the host of the request.
    response.set({ ...HEADERS, 'Cache-Control': 'no-store', 'Content-Type': `application/${format}; charset=utf-8` });
    const api = this.#apiPathFor(mount);
    const paths = api === '' ? this.#options.contract.basePaths : [api];
    const urls = baseUrlsOf(request, paths);
    response.send(await texts[format](urls?.map((url, index) => ({ url, name: serverNames.get(paths[index] ?? '') }))));
  }

  /** The path that the contract is mounted at, without trailing slash; `''` for the root. */
  #apiPathFor(mount: string): string {
    return (this.#options.apiPath ?? mount.slice(0, mount.lastIndexOf('/') + 1)).replace(/\/+$/, '');
  }

  #placeAt(mount: string): PagePlace {
    const { clientPackage: client = '', formats = {} } = this.#options;
    const api = this.#apiPathFor(mount);
    const up = '../'.repeat(mount.split('/').length - 1);
    return {
      // Without the dot, a name with a colon would be the scheme of a URL.
      parts: mount === '' ? './' : `./${lastSegment(mount)}/`,
      service: `${up === '' ? './' : up}${api.slice(1)}${api === '' ? '' : '/'}`,
      isMounted: api !== '',
      client,
      formats: JSON.stringify(formats),
    };
  }

  async #load(): Promise<Loaded> {
    this.#loaded ??= load(this.#options);
    try {
      return await this.#loaded;
    } catch (error) {
      // The next request reads the files again.
      this.#loaded = undefined;
      throw error;
    }
  }
}

async function load({ contract, formats = {} }: ApiReferenceOptions): Promise<Loaded> {
  const { ContractTexts } = await import('./contract-texts.ts');
  const { serverNames } = await import('./server-names.ts');
  const { placeTable } = await import('./place-table.ts');
  let places: PageFile | undefined;
  const placesFile = (): PageFile => {
    places ??= taggedFile('application/json', JSON.stringify(placeTable(contract, Object.keys(formats))));
    return places;
  };
  return {
    page: await readPageFiles(),
    texts: new ContractTexts(contract),
    serverNames: serverNames(contract),
    places: placesFile,
  };
}

function isServed(path: string): boolean {
  return path === '/' || path === PLACES || path in TEXTS || PART_PATHS.includes(path);
}

function lastSegment(mount: string): string {
  return mount.slice(mount.lastIndexOf('/') + 1);
}

/** Express gives a middleware the path `/` for `/docs` and for `/docs/`. */
function hasTrailingSlash({ originalUrl }: Request): boolean {
  return originalUrl.split('?', 1)[0]?.endsWith('/') === true;
}

/** @throws ConfigurationError that says what would be right. */
function requireOptions(options: unknown): void {
  // Safe: every member is checked, also those of what JavaScript may pass.
  const given = Object(options) as Partial<Record<keyof ApiReferenceOptions, unknown>>;
  const contract = Object(given.contract) as Partial<Record<keyof Contract, unknown>>;
  if (typeof contract.original !== 'function' || !Array.isArray(contract.basePaths)) {
    throw new ConfigurationError(
      'apiReference takes a contract that loadContract has returned: apiReference({ contract }).',
    );
  }
  const unknown = Object.keys(given).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new ConfigurationError(`apiReference has no option ${unknown}: it takes ${OPTIONS.join(', ')}.`);
  }
  const { apiPath = '/', clientPackage = '', formats = {} } = given;
  if (typeof apiPath !== 'string' || !/^\/(?!\/)[^?#\s]*$/.test(apiPath)) {
    throw new ConfigurationError("apiPath must be the path at which contractMiddleware is mounted, as in '/api'.");
  }
  if (typeof clientPackage !== 'string') {
    throw new ConfigurationError("clientPackage must be the name of a package, as in 'todo-client'.");
  }
  const isClass = (text: unknown): boolean => typeof text === 'string' && /^[\w$.]+(?::\S+)?$/.test(text);
  if (typeof formats !== 'object' || formats === null || !Object.values(formats).every(isClass)) {
    throw new ConfigurationError("formats must name a class for each format, as in { 'date-time': 'Date' }.");
  }
}

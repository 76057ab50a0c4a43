import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Contract } from '../contract/document/load.ts';
import { SECURITY_HEADERS } from '../contract/respond.ts';
import { baseUrlsOf } from './base-urls.ts';
import { readContractTexts } from './contract-texts.ts';
import type { DocsPath } from './paths.ts';

/** Answers a request for a path of the API reference. */
export type AnswerDocs = (path: DocsPath, request: Request, response: Response) => void;

/** A file that is the same for all clients. */
interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly tag: string;
}

/** The page may load its own parts and send requests to the service that it came from. */
const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  // Revalidated each time: after an upgrade the parts must fit together.
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // The icons of Swagger UI are data: URLs.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** Reads all files of the API reference and returns the function that answers with them. */
export async function answerDocs(contract: Contract): Promise<AnswerDocs> {
  const packages = createRequire(import.meta.url);
  const fromPackage = (type: string, name: string): Promise<Asset> => readAsset(type, packages.resolve(name));
  const own = (type: string, name: string): Promise<Asset> => readAsset(type, new URL(`page/${name}`, import.meta.url));
  const texts = await readContractTexts(contract);
  const assets = new Map<DocsPath, Asset>([
    ['/docs', await own(HTML, 'page.html')],
    ['/docs/page.css', await own(CSS, 'page.css')],
    ['/docs/page.js', await own(SCRIPT, 'page.js')],
    ['/docs/plugin.js', await own(SCRIPT, 'plugin.js')],
    ['/docs/code-samples.js', await own(SCRIPT, 'code-samples.js')],
    ['/docs/icon.png', await fromPackage('image/png', 'swagger-ui-dist/favicon-32x32.png')],
    // The CommonJS build of lossless-json runs in browsers as it is.
    ['/docs/lossless-json.js', await fromPackage(SCRIPT, 'lossless-json')],
    ['/docs/swagger-ui.css', await fromPackage(CSS, 'swagger-ui-dist/swagger-ui.css')],
    ['/docs/swagger-ui.js', await fromPackage(SCRIPT, 'swagger-ui-dist/swagger-ui-bundle.js')],
  ]);
  return (path, request, response) => {
    const found = assets.get(path);
    if (found !== undefined) sendAsset(request, response, found);
    else if (path === '/openapi.json') send(response, 'application/json; charset=utf-8', texts.json(urls(request)));
    else send(response, 'application/yaml; charset=utf-8', texts.yaml(urls(request)));
  };

  function urls(request: Request): readonly string[] | undefined {
    return baseUrlsOf(request, contract.basePaths);
  }
}

async function readAsset(type: string, file: string | URL): Promise<Asset> {
  return asset(type, await readFile(file));
}

function asset(type: string, body: Buffer): Asset {
  return { type, body, tag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

function sendAsset(request: Request, response: Response, { type, body, tag }: Asset): void {
  response.set({ ...PAGE_HEADERS, ETag: tag });
  if (request.fresh) response.status(304);
  else response.set({ 'Content-Type': type, 'Content-Length': String(body.length) });
  end(response, body);
}

/** The contract is not cached: it names the host of the request. */
function send(response: Response, type: string, text: string): void {
  const body = Buffer.from(text);
  response.set({ ...PAGE_HEADERS, 'Cache-Control': 'no-store', 'Content-Type': type });
  response.set('Content-Length', String(body.length));
  end(response, body);
}

/** Node omits the body where the method or status has none. */
function end(response: Response, body: Buffer): void {
  // logRequests has given the request its id.
  response.set('X-Request-Id', String(response.locals['requestId']));
  response.end(body);
}

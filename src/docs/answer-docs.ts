import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Contract } from '../contract/document/load.ts';
import { SECURITY_HEADERS } from '../contract/respond.ts';
import { baseUrlsOf } from './base-urls.ts';
import { readContractTexts } from './contract-texts.ts';
import type { Docs, DocsPath } from './docs.ts';
import { PAGE } from './page-html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A file that is the same for every client. */
interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly tag: string;
}

/** Headers of the page: it may load its own files and send requests to its origin only. */
const PAGE_HEADERS = {
  ...SECURITY_HEADERS,
  // Revalidated on each load: after an upgrade all files must match.
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Swagger UI's selection lists use data: URLs for their arrows.
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

/** Loads all files of the docs and returns the function that serves them. */
export async function answerDocs(contract: Contract): Promise<Docs['answer']> {
  const packages = createRequire(import.meta.url);
  const fromPackage = (type: string, name: string): Promise<Asset> => readAsset(type, packages.resolve(name));
  const texts = await readContractTexts(contract);
  const assets = new Map<DocsPath, Asset>([
    ['/docs', asset(HTML, Buffer.from(PAGE))],
    ['/docs/page.css', asset(CSS, Buffer.from(PAGE_STYLE))],
    ['/docs/page.js', await readAsset(SCRIPT, new URL('page.js', import.meta.url))],
    ['/docs/icon.png', await fromPackage('image/png', 'swagger-ui-dist/favicon-32x32.png')],
    // The package's CommonJS build also runs in browsers.
    ['/docs/lossless-json.js', await fromPackage(SCRIPT, 'lossless-json')],
    ['/docs/swagger-ui.css', await fromPackage(CSS, 'swagger-ui-dist/swagger-ui.css')],
    ['/docs/swagger-ui.js', await fromPackage(SCRIPT, 'swagger-ui-dist/swagger-ui-bundle.js')],
  ]);
  return (path, request, response) => {
    const found = assets.get(path);
    if (found !== undefined) sendAsset(request, response, found);
    else if (path === '/openapi.json') send(response, 'application/json; charset=utf-8', texts.json(urls(request)));
    else send(response, 'application/yaml; charset=utf-8', texts.yaml(urls(request)));
    return Promise.resolve();
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

/** Not cached, since the contract names the request's host. */
function send(response: Response, type: string, text: string): void {
  const body = Buffer.from(text);
  response.set({ ...PAGE_HEADERS, 'Cache-Control': 'no-store', 'Content-Type': type });
  response.set('Content-Length', String(body.length));
  end(response, body);
}

/** Node omits the body of responses that have none. */
function end(response: Response, body: Buffer): void {
  // logRequests has set the id.
  response.set('X-Request-Id', String(response.locals['requestId']));
  response.end(body);
}

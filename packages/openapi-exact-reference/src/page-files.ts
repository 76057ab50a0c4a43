import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The modules of the page. */
const MODULES = [
  ...['page', 'about-view', 'contents', 'contract', 'credentials', 'element', 'exact-json', 'example', 'fields'],
  ...['item-stream', 'markdown', 'operation-view', 'places', 'request', 'request-panel', 'response-view', 'samples'],
  ...['schema-view', 'sidebar', 'stream-items', 'tags', 'typescript-sample'],
];

/** The parts of the page by their paths below the mount: media type, and file or package. */
const PARTS: Readonly<Record<string, readonly [type: string, file: string]>> = {
  '/page.css': [CSS, './page/page.css'],
  '/icon.svg': ['image/svg+xml', './page/icon.svg'],
  ...Object.fromEntries(MODULES.map((name) => [`/${name}.js`, [SCRIPT, `./page/${name}.js`] as const])),
  // These packages run in browsers as they are.
  '/lossless-json.js': [SCRIPT, 'lossless-json'],
  '/marked.js': [SCRIPT, 'marked'],
};

/** The paths of the page's parts below the mount. */
export const PART_PATHS: readonly string[] = Object.keys(PARTS);

/** The body of a response, with its own headers. */
export interface PageFile {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page's assets, and its HTML for each mount path. */
export interface PageFiles {
  readonly parts: ReadonlyMap<string, PageFile>;
  readonly html: (place: PagePlace) => PageFile;
}

/** Where the page is, for the relative URLs in its HTML. */
export interface PagePlace {
  /** The path from the URL of the page to that of its parts: `./docs/` for a page at `/docs`. */
  readonly parts: string;
  /** The path from the parts to the service, with which the paths of the contract begin. */
  readonly service: string;
  /** Whether the contract is mounted there, without the paths of its own servers. */
  readonly isMounted: boolean;
  /** The package with a client that is bound to the contract, for samples. */
  readonly client: string;
  /** The classes of the client's values by format, as JSON. */
  readonly formats: string;
}

/** Reads the files of the page. @throws Error of the file system. */
export async function readPageFiles(): Promise<PageFiles> {
  const { resolve } = createRequire(import.meta.url);
  const parts = new Map<string, PageFile>();
  for (const [path, [type, file]] of Object.entries(PARTS)) {
    parts.set(path, taggedFile(type, await readFile(resolve(file))));
  }
  const template = await readFile(resolve('./page/page.html'), 'utf8');
  return { parts, html: (place) => taggedFile('text/html; charset=utf-8', filled(template, place)) };
}

/** The HTML of the page: `{{name}}` becomes the place's value, escaped for an attribute. */
function filled(template: string, place: PagePlace): string {
  const values = new Map<string, unknown>(Object.entries(place));
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values.get(name)).replaceAll(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`),
  );
}

/** A file with its tag, by which browsers validate what they have. */
export function taggedFile(type: string, body: string | Buffer): PageFile {
  const tag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { body, headers: { 'Content-Type': type, ETag: tag } };
}

/** The paths of the API reference, for GET and HEAD: the page, its parts and the contract. */
export const DOCS_PATHS = [
  '/docs',
  '/docs/page.css',
  '/docs/page.js',
  '/docs/plugin.js',
  '/docs/code-samples.js',
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
 * Paths that lead to the page, each with a `Location`. It is relative, so that it holds behind a
 * proxy that serves the service under a path of its own.
 */
export const DOCS_REDIRECTS = { '/': 'docs', '/docs/': '../docs' } as const;

/** A path of {@link DOCS_REDIRECTS}. */
export type DocsRedirect = keyof typeof DOCS_REDIRECTS;

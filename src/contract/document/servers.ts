import type { Server } from './openapi-document.ts';

/** Receives a server that is not served, with the reason. */
type Refuse = (server: Server, reason: string) => void;

/** The scheme and the authority of a URL. */
const ORIGIN = /^(?:[^/?#]*:)?\/\/[^/?#]*/;

/**
 * The distinct paths of servers, without trailing slash; `''` for the root. A variable in a path
 * stands for each value of its `enum`, or else for its default.
 * @param servers a relative URL is relative to the root; without any, the root is served.
 * @param refuse receives those whose URL does not parse, or whose path has an undeclared variable.
 */
export function basePathsOf(servers: readonly Server[] | undefined, refuse: Refuse): readonly string[] {
  const paths =
    servers === undefined || servers.length === 0 ? [''] : servers.flatMap((server) => pathsOf(server, refuse));
  return [...new Set(paths)];
}

function pathsOf(server: Server, refuse: Refuse): string[] {
  const { url } = server;
  const origin = ORIGIN.exec(url)?.[0] ?? '';
  if (!/\{|\/\/$/.test(origin) && !URL.canParse(origin, 'http://localhost')) {
    refuse(server, `${url} is not a URL: write one such as https://example.com/v1.`);
    return [];
  }
  const path = url.slice(origin.length);
  const names = [...new Set([...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name))];
  const filled = names.reduce(
    (texts, name) =>
      valuesOf(server, name, refuse).flatMap((value) => texts.map((text) => text.replaceAll(`{${name}}`, () => value))),
    [path],
  );
  // A variable may stand for a whole URL.
  return filled.map((text) => new URL(text, 'http://localhost').pathname.replace(/\/+$/, ''));
}

function valuesOf(server: Server, name: string, refuse: Refuse): string[] {
  const variable = Object.entries(server.variables ?? {}).find(([key]) => key === name)?.[1];
  const values = variable?.enum?.length ? variable.enum : [variable?.default];
  if (values.every((value) => value !== undefined && value !== null)) return values.map(String);
  refuse(server, `the variable '${name}' of ${server.url} must be declared in variables, with a default.`);
  return [];
}

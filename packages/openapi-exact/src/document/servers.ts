import { list, own, type Server } from '../schema/openapi-document.ts';
import { Refused } from '../errors/diagnostic.ts';

/** The scheme and the authority of a URL. */
const ORIGIN = /^(?:[^/?#]*:)?\/\/[^/?#]*/;

/** The most paths that a server may have: each variable multiplies them. */
const MOST_PATHS = 1_000;

/**
 * The distinct paths of servers, without trailing slash; `''` for the root. A variable in a path
 * takes each value of its `enum`, or else its default.
 * @param servers a relative URL is relative to the root; without any, the root is served.
 * @throws Refused for an invalid URL, an undeclared variable in its path, or too many paths.
 */
export function basePathsOf(servers: readonly Server[] = []): readonly string[] {
  const paths = servers.length === 0 ? [''] : servers.flatMap(pathsOf);
  return [...new Set(paths)];
}

function pathsOf(server: Server): string[] {
  const { url } = server;
  const origin = ORIGIN.exec(url)?.[0] ?? '';
  if (!/\{|\/\/$/.test(origin) && !URL.canParse(origin, 'http://localhost')) {
    throw refusedServer(server, `${url} is not a URL: write one such as https://example.com/v1.`);
  }
  const path = url.slice(origin.length);
  let filled = [url];
  for (const name of new Set([...url.matchAll(/\{([^}]+)\}/g)].map(([, variable = '']) => variable))) {
    const values = variableValues(server, name);
    // A variable of the host matters only if its value contains a path.
    if (!path.includes(`{${name}}`) && !values.some((value) => value.includes('/'))) continue;
    if (values.length === 0) {
      throw refusedServer(server, `the variable '${name}' of ${url} must be declared in variables, with a default.`);
    }
    if (values.length * filled.length > MOST_PATHS) {
      throw refusedServer(
        server,
        `the variables of ${url} stand for more than ${MOST_PATHS} paths: list fewer values.`,
      );
    }
    filled = values.flatMap((value) => filled.map((text) => text.replaceAll(`{${name}}`, () => value)));
  }
  return filled.map((text) => {
    const path = text.replace(ORIGIN, '').replace(/^(?![/?#])/, '/');
    return new URL(`http://localhost${path}`).pathname.replace(/\/+$/, '');
  });
}

/** The values of a variable; none if it has neither an enum nor a default. */
function variableValues({ variables }: Server, name: string): string[] {
  const variable = own(variables, name);
  const choices = list(own(variable, 'enum'));
  const values = choices.length > 0 ? choices : [own(variable, 'default')];
  return values.filter((value) => value !== undefined && value !== null).map(String);
}

function refusedServer(node: Server, reason: string): Refused {
  return new Refused([{ node, key: 'url', reason }]);
}

import type { Contract } from 'openapi-exact';
import { basePathsOf, isVersion32 } from 'openapi-exact/contract';

/**
 * The names of a contract's servers (OpenAPI 3.2) by their base paths. Servers that differ in their
 * hosts alone are one service here, without a name.
 */
export function serverNames({ basePaths, document }: Contract): ReadonlyMap<string, string> {
  const { servers = [] } = isVersion32(document) ? document : {};
  return new Map(
    basePaths.flatMap((path) => {
      const [server, ...others] = servers.filter((each) => basePathsOf([each]).includes(path));
      return server?.name === undefined || others.length > 0 ? [] : [[path, server.name]];
    }),
  );
}

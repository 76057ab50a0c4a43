import { demandsPrimary, serversOf } from '../database-url.ts';
import { askServer } from './ask-server.ts';
import { isUnreachable, ReadOnlyServerError } from './failures.ts';

/**
 * Finds the server to connect to: the first that takes writes, or the only one if the URL does not
 * demand that.
 * @returns a URL with a single host. If there is none, rejects with the first error that waiting
 * does not resolve, otherwise with an AggregateError of all.
 */
export async function findServer(url: string): Promise<string> {
  const servers = serversOf(url);
  if (!demandsPrimary(url)) return servers[0] ?? url;
  const errors: Error[] = [];
  for (const server of servers) {
    try {
      await requirePrimary(server);
      return server;
    } catch (error) {
      // Safe: pg and Node throw nothing else.
      errors.push(error as Error);
    }
  }
  throw errors.find((error) => !isUnreachable(error)) ?? new AggregateError(errors);
}

/** Rejects unless a server takes writes, as libpq's target_session_attrs=read-write does. */
async function requirePrimary(server: string): Promise<void> {
  const [isReadOnly] = (await askServer(server, 'SHOW transaction_read_only')) ?? [];
  if (isReadOnly !== 'off') throw new ReadOnlyServerError(`${new URL(server).host} takes no writes`);
}

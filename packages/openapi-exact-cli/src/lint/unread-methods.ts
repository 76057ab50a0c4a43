import { METHODS } from 'node:http';
import { didYouMean, type Contract, type Diagnostic } from 'openapi-exact/contract';

/** A server of Node.js hands over such a connection, not a request. */
const TUNNEL = 'CONNECT';

/** A warning for each operation with a method that Node.js refuses before a service sees it. */
export function unreadMethods({ operations }: Contract): readonly Diagnostic[] {
  return operations
    .filter(({ method }) => !METHODS.includes(method) || method === TUNNEL)
    .map(({ method, definition }) => {
      const reason = `Node.js reads no request with the method ${method} over HTTP/1.1.${didYouMean(method, METHODS)}`;
      return { node: definition, key: undefined, reason };
    });
}

/** Limits of the HTTP server; times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** The request line and all headers. */
  maxHeaderSize: 8 * 1024,
  /** Headers of a request. */
  maxHeaders: 100,
  /** Parts, such as chunks, of a body; beyond them, their mean size must be `smallPart`. */
  maxSmallParts: 1_000,
  smallPart: 64,
  /** The rest of a request that was answered early. */
  maxRest: 64 * 1024,
  /** From the first byte of a connection or request to the end of its headers. */
  headersTimeout: 10_000,
  /** From the first byte of a request to the end of its body. */
  requestTimeout: 30_000,
  /** An idle connection is kept this long. */
  keepAliveTimeout: 5_000,
  /** For a client that does not read its responses. */
  timeout: 60_000,
  /** For a handler that does not answer: it ends before the connection does. */
  handlerTimeout: 55_000,
  /** Requests on one connection before it is closed, so that clients spread over all servers. */
  maxRequestsPerSocket: 100_000,
  /** Pipelined requests that wait on one connection; a connection with more is closed. */
  maxPipelinedRequests: 100,
  /** The longest wait of a pipelined request before it is begun. */
  maxWait: 5_000,
  /** Connections at a time; further ones are closed at once. */
  maxConnections: 10_000,
  /** How often Node checks headersTimeout and requestTimeout. */
  connectionsCheckingInterval: 1_000,
} as const;

/** Limits of the HTTP server; times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** The request line and all headers. */
  maxHeaderSize: 8 * 1024,
  /** The bodies of requests under way may come in so many parts, such as chunks, however small; of more, the mean must have this size. */
  maxSmallParts: 1_000,
  smallPart: 64,
  /** What may come of a request when it was answered already. */
  maxRest: 64 * 1024,
  /** From the first byte of a connection or request to the end of its headers. */
  headersTimeout: 10_000,
  /** From the first byte of a request to the end of its body. */
  requestTimeout: 30_000,
  /** An idle connection is kept this long. */
  keepAliveTimeout: 5_000,
  /** A connection is closed when it takes nothing of its answers for this time, or has answers waiting and takes none of them to its end. */
  timeout: 60_000,
  /** Requests on one connection, after which it is closed, so that clients spread over the servers there are. */
  maxRequestsPerSocket: 100_000,
  /** Requests that wait on one connection for the answer to the one before them; a connection with more is closed. */
  maxPipelinedRequests: 100,
  /** How long such a request waits at most before it is begun: its client has hardly more patience. */
  maxWait: 5_000,
  /** Connections at a time; those beyond are closed at once. Each takes some 10 KB. */
  maxConnections: 10_000,
  /** How often the two timeouts above are looked at: without it, Node does so every 30 seconds. */
  connectionsCheckingInterval: 1_000,
} as const;

/** Safe methods of the HTTP Method Registry (RFC 9110, section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'REPORT', 'SEARCH']);
/** Methods of the registry that are idempotent, and not safe (RFC 9110, section 9.2.2). */
const CHANGING: ReadonlySet<string> = new Set([
  ...['PUT', 'DELETE', 'LINK', 'UNLINK', 'COPY', 'MOVE', 'MKCOL', 'PROPPATCH', 'ACL', 'BIND', 'REBIND', 'UNBIND'],
  ...['CHECKIN', 'CHECKOUT', 'UNCHECKOUT', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKWORKSPACE', 'ORDERPATCH'],
  ...['BASELINE-CONTROL', 'LABEL', 'MKREDIRECTREF', 'UPDATE', 'UPDATEREDIRECTREF', 'VERSION-CONTROL'],
]);

/** Whether a request with this method asks for no change. */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}

/** Whether several identical requests with this method have the effect of one. */
export function isIdempotent(method: string): boolean {
  return SAFE.has(method) || CHANGING.has(method);
}

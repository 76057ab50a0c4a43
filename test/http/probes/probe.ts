/** Bytes that are sent, and all that must come back. */
export interface Probe {
  /** Latin-1 text; {@link fill} puts ids and token into its braces. */
  readonly bytes: string;
  /** The status of each answer. A 204 is for the plant `{id}`; every other plant must live. */
  readonly statuses: readonly number[];
}

/** Probes by what the request has: "a request with …". */
export type Probes = Readonly<Record<string, Probe>>;

/** A target, and headers that make it a complete request to delete the plant. */
export const PATH = '/plants/{id}';
export const AUTHORIZATION = 'Authorization: Bearer {token}';

/** A request to delete the plant beside, where no request should be found. */
export const SMUGGLED = `DELETE /plants/{neighbour} HTTP/1.1\r\nHost: plants\r\n${AUTHORIZATION}\r\n\r\n`;

/** Follows each probe and shows whether the connection is still served: 404, then close. */
export const LAST = 'GET /nothing HTTP/1.1\r\nHost: plants\r\nConnection: close\r\n\r\n';

/** A well-formed request to delete the plant, but for these headers. */
export function withHeaders(...headers: readonly string[]): string {
  return withLine(`DELETE ${PATH} HTTP/1.1`, ...headers);
}

/** A request with this request line, Host, token and these headers. */
export function withLine(line: string, ...headers: readonly string[]): string {
  return [line, 'Host: plants', AUTHORIZATION, ...headers, '', ''].join('\r\n');
}

/** Must be refused, and the connection be closed: nothing after it is read. */
export function refused(bytes: string, status = 400): Probe {
  return { bytes: bytes + LAST, statuses: [status] };
}

/** Must be refused without effect; where it ends is certain, so that the connection may go on. */
export function declined(status: number, bytes: string): Probe {
  return { bytes: bytes + LAST, statuses: [status, 404] };
}

/** Is a request to delete the plant by RFC 9112: it must be done, and the connection goes on. */
export function served(bytes: string): Probe {
  return { bytes: bytes + LAST, statuses: [204, 404] };
}

/** Is a request to delete the plant, and the last one of its connection. */
export function servedLast(bytes: string): Probe {
  return { bytes: bytes + LAST, statuses: [204] };
}

/** Deletes the plant; what comes behind that is refused, and the connection closed. */
export function refusedBehind(bytes: string, status = 400): Probe {
  return { bytes: withHeaders() + bytes + LAST, statuses: [204, status] };
}

/** A probe for each of several texts, which stand between `|`. */
export function named(what: string, probe: (text: string) => Probe, texts: string): Probes {
  return Object.fromEntries(texts.split('|').map((text) => [`${what} ${JSON.stringify(text)}`, probe(text)]));
}

/** The bytes of a probe for a plant and the one beside it. */
export function fill({ bytes }: Pick<Probe, 'bytes'>, id: bigint, neighbour: bigint, token: string): Buffer {
  const put = (text: string): string =>
    text.replaceAll('{id}', String(id)).replaceAll('{neighbour}', String(neighbour)).replaceAll('{token}', token);
  const { length } = put(SMUGGLED);
  const text = bytes.replaceAll('{length}', String(length)).replaceAll('{hexLength}', length.toString(16));
  return Buffer.from(put(text), 'latin1');
}

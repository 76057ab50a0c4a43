import type { Logger } from 'pino';
import { holdsToken } from '../auth/tokens/token.ts';
import type { Change } from 'openapi-exact';

/** Names of what identifies a thing: `id`, `ids`, `plantId`, `plant_ids`. */
const ID = /^ids?$|[a-z\d]Ids?$|[_-]ids?$/;
/** The most ids of a list, and characters of a value, in a line. */
const MOST = 100;
const LONGEST_TEXT = 200;
/** Fields that every line has: a parameter with such a name must not replace one. */
const OWN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'operation', 'token', 'requestId']);

/**
 * Writes one line per change to a log named `audit`: operation, what it changed, name of the token
 * and request id. A change whose commit failed has a line that says 'unknown'.
 */
export function createAudit(log: Logger, enabled: boolean): (change: Change) => void {
  if (!enabled) return () => undefined;
  const audit = log.child({ name: 'audit' }, { level: 'info' });
  return ({ outcome, operation, params, query, body, requestId, principal, response }) => {
    const line = { ...idsIn(body), ...namedBy(response) };
    for (const name in query) addTo(line, name, query[name]);
    for (const name in params) addTo(line, name, params[name]);
    line['operation'] = operation;
    line['token'] = principal?.name ?? null;
    line['requestId'] = requestId ?? null;
    audit.info(line, outcome);
  };
}

/** A line of the log. JSON numbers would round a bigint, so all values are text. */
type AuditLine = Record<string, string | string[] | null>;

/** What a response names: ids of what was made (201), the `id` of what changed, its `Location`. */
function namedBy({ status, headers = {}, body }: Partial<NonNullable<Change['response']>> = {}): AuditLine {
  const named = status === 201 ? idsIn(body) : {};
  if (typeof body === 'object' && body !== null && 'id' in body && isScalar(body.id)) named['id'] = String(body.id);
  for (const name in headers) if (name.toLowerCase() === 'location') named['location'] = String(headers[name]);
  return named;
}

/** The ids in the properties of a body and of the items in it. Other properties may be private. */
function idsIn(body: unknown): AuditLine {
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return {};
  const ids: AuditLine = {};
  if (!Array.isArray(body)) {
    for (const [name, value] of Object.entries(body)) {
      addTo(ids, name, ID.test(name) ? value : Array.isArray(value) ? value.map(idOf).filter(isScalar) : idOf(value));
    }
    return ids;
  }
  addTo(ids, 'id', body.map((item: unknown) => (isScalar(item) ? item : idOf(item))).filter(isScalar));
  return ids;
}

function idOf(item: unknown): unknown {
  return (Object(item) as { readonly id?: unknown }).id;
}

/** Adds a scalar, or a list of them; the rest of a long one is left out. */
function addTo(line: AuditLine, name: string, value: unknown): void {
  const field = OWN_FIELDS.has(name) ? `${name}_` : name;
  if (isScalar(value)) line[field] = loggedText(value);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isScalar)) return;
  line[field] = [...value.slice(0, MOST).map(loggedText), ...(value.length > MOST ? ['…'] : [])];
}

function loggedText(value: Scalar): string {
  const text = String(value);
  if (typeof value === 'string' && holdsToken(text)) return '[token]';
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

type Scalar = bigint | boolean | number | string;

function isScalar(value: unknown): value is Scalar {
  return ['bigint', 'boolean', 'number', 'string'].includes(typeof value);
}

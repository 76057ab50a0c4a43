import type { Logger } from 'pino';
import { holdsToken } from '../auth/tokens/token.ts';
import type { Change } from 'openapi-exact';

/** Names of what identifies a thing: `id`, `ids`, `plantId`, `plant_ids`. */
const ID = /^ids?$|[a-z\d]Ids?$|[_-]ids?$/;
/** The most ids of a list, and characters of a value, in a line. */
const MOST = 100;
const LONGEST_TEXT = 200;

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

/** What a response names of the thing that was made or changed: its `id` and its `Location`. */
function namedBy({ headers = {}, body }: Partial<NonNullable<Change['response']>> = {}): AuditLine {
  const named: AuditLine = {};
  if (typeof body === 'object' && body !== null && 'id' in body && isScalar(body.id)) named['id'] = String(body.id);
  for (const name in headers) if (name.toLowerCase() === 'location') named['location'] = String(headers[name]);
  return named;
}

/** The ids in the properties of a body or of its items. Other properties may be private. */
function idsIn(body: unknown): AuditLine {
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return {};
  const ids: AuditLine = {};
  if (!Array.isArray(body)) {
    for (const [name, value] of Object.entries(body)) if (ID.test(name)) addTo(ids, name, value);
    return ids;
  }
  const items = body.map((item: unknown) => (isScalar(item) ? item : (Object(item) as { readonly id?: unknown }).id));
  addTo(ids, 'id', items.filter(isScalar));
  return ids;
}

/** Adds a scalar, or a list of them; the rest of a long one is left out. */
function addTo(line: AuditLine, name: string, value: unknown): void {
  if (isScalar(value)) line[name] = loggedText(value);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isScalar)) return;
  line[name] = [...value.slice(0, MOST).map(loggedText), ...(value.length > MOST ? ['…'] : [])];
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

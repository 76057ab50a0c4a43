import type { Logger } from 'pino';
import { holdsToken } from '../auth/tokens/token.ts';
import type { Change } from 'openapi-exact';

/** Names of what identifies a thing: `id`, `ids`, `plantId`, `plantID`, `plant_ids`. */
const ID = /^(?:ids?|IDs?)$|[a-z\d](?:Id|ID)s?$|[_-]ids?$/;
/** The most ids of a list, and characters of a value, in a line. */
const MOST = 100;
const LONGEST_TEXT = 200;
/** How many objects and lists around an id in a body are searched. */
const DEEPEST = 5;
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
    const named = namedBy(response);
    const line = { ...idsIn(body), ...named };
    for (const name in query) addTo(line, name, query[name]);
    for (const name in params) addTo(line, name, params[name]);
    // What is made below `/plants/{id}` has another id than the plant.
    const made = isMade(response?.status) ? named['id'] : undefined;
    if (made !== undefined && line['id'] !== made) line['newId'] = made;
    line['operation'] = operation;
    line['token'] = principal?.name ?? null;
    line['requestId'] = requestId ?? null;
    audit.info(line, outcome);
  };
}

/** A line of the log. JSON numbers would round a bigint, so all values are text. */
type AuditLine = Record<string, string | string[] | null>;

/** The ids that a response names: of what was created (201, 202) or changed, and its `Location`. */
function namedBy({ status, headers = {}, body }: Partial<NonNullable<Change['response']>> = {}): AuditLine {
  const named = isMade(status) ? idsIn(body) : {};
  if (typeof body === 'object' && body !== null && 'id' in body && isScalar(body.id)) named['id'] = String(body.id);
  for (const name in headers) if (name.toLowerCase() === 'location') named['location'] = String(headers[name]);
  return named;
}

/** True for the status of a response that says what the operation has made or will make. */
function isMade(status: number | undefined): boolean {
  return status === 201 || status === 202;
}

/** The ids in a body, at any place. Other properties may be private. */
function idsIn(body: unknown): AuditLine {
  const ids: AuditLine = {};
  if (!isScalar(body)) addIds(ids, 'id', body, false);
  return ids;
}

/**
 * Adds the ids in a value under their names, those that are called `id` under the name of the
 * property around them.
 */
function addIds(ids: AuditLine, name: string, value: unknown, isListed: boolean, depth = 0): void {
  if (isScalar(value)) {
    if (ID.test(name)) addId(ids, name, value, isListed);
  } else if (Array.isArray(value)) {
    if (depth < DEEPEST) for (const item of value) addIds(ids, name, item, true, depth + 1);
  } else if (typeof value === 'object' && value !== null && !isBytes(value) && depth < DEEPEST) {
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'id' && isScalar(inner)) addId(ids, name, inner, isListed);
      else addIds(ids, key, inner, isListed, depth + 1);
    }
  }
}

/** Adds an id; several of one name are a list, whose rest is left out if it is long. */
function addId(ids: AuditLine, name: string, id: Scalar, isListed: boolean): void {
  const field = fieldOf(name);
  const known = (Object.hasOwn(ids, field) ? ids[field] : undefined) ?? [];
  const list = Array.isArray(known) ? known : [known];
  if (list.length < MOST) list.push(loggedText(id));
  else if (list.length === MOST) list.push('…');
  ids[field] = list.length === 1 && !isListed ? (list[0] ?? '') : list;
}

/** Bytes and streams of them. */
function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || Symbol.asyncIterator in value;
}

/** Adds a scalar, or a list of them; the rest of a long one is left out. */
function addTo(line: AuditLine, name: string, value: unknown): void {
  const field = fieldOf(name);
  if (isScalar(value)) line[field] = loggedText(value);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isScalar)) return;
  line[field] = [...value.slice(0, MOST).map(loggedText), ...(value.length > MOST ? ['…'] : [])];
}

function fieldOf(name: string): string {
  return OWN_FIELDS.has(name) ? `${name}_` : name;
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

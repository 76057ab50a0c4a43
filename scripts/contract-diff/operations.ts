import {
  isObject,
  isSchema,
  resolve,
  type OpenApiDocument,
  type Parameter,
  type Response,
  type Schema,
} from '../../src/contract/document/openapi-document.ts';
import type { Contract, Operation } from '../../src/contract/document/load.ts';
import type { Change } from './change.ts';
import { SchemaComparison, type Direction } from './schemas.ts';
import { securityChanges } from './security.ts';

/** What changed in one operation, or in its credentials. */
export type Finding = Pick<Change, 'subject' | 'text' | 'kind'>;

type Content = Readonly<Record<string, { schema?: unknown }>>;

/**
 * The changes between two contracts that break clients and that oasdiff says nothing about, or takes for harmless:
 * - servers: a base path that is gone
 * - security: credentials that no longer suffice, or are no longer asked for; a scheme of another kind
 * - parameters and response headers: another style or explode; a schema that is narrower for what the client sends or wider
 *   for what it gets, at any depth: type, format, null, limits, pattern, enum, const, multipleOf, uniqueItems, not
 * - bodies: the same, and additionalProperties
 * - responses: `default` or a range such as 4XX that is gone; content where there was none, as in a 204
 * What oasdiff finds, and which of that is breaking, stands in oasdiff.ts.
 */
export function operationChanges(base: Contract, revision: Contract): Change[] {
  const gone = base.basePaths.filter((path) => !revision.basePaths.includes(path));
  const servers = gone.map((path) => change('servers', finding(path, `the base path '${path || '/'}' is gone`, /^$/)));
  const operations = base.operations.flatMap((before) => {
    const after = revision.operations.find(({ method, path }) => method === before.method && path === before.path);
    if (after === undefined) return [];
    const place = `${before.method} ${before.path}`;
    return [...new OperationComparison(base, revision).changes(before, after)].map((found) => change(place, found));
  });
  return [...servers, ...operations];
}

function change(place: string, found: Finding): Change {
  return { place, ...found, breaking: true, id: '' };
}

function finding(subject: string, text: string, kind: RegExp): Finding {
  return { subject, text, kind };
}

class OperationComparison {
  readonly #base: Contract;
  readonly #revision: Contract;
  readonly #schemas: SchemaComparison;

  constructor(base: Contract, revision: Contract) {
    this.#base = base;
    this.#revision = revision;
    this.#schemas = new SchemaComparison(base.document, revision.document);
  }

  *changes(before: Operation, after: Operation): Generator<Finding> {
    yield* securityChanges(this.#base.document, before.security, this.#revision.document, after.security);
    for (const parameter of before.parameters) {
      const same = after.parameters.find((other) => keyOf(other) === keyOf(parameter));
      if (same !== undefined) yield* this.#parameter(parameter, same);
    }
    yield* this.#content(before.requestBody?.content, after.requestBody?.content, 'request', 'body');
    yield* this.#responses(before, after);
  }

  *#parameter(before: Parameter, after: Parameter): Generator<Finding> {
    const [from, to] = [
      encoding(this.#base.document, before, before.in),
      encoding(this.#revision.document, after, after.in),
    ];
    if (from !== to) {
      yield finding(before.name, `parameter '${before.name}' was written as ${from} and is ${to}`, /-style|-explode/);
    }
    yield* this.#schemas.changes(before.schema, after.schema, 'request', before.name);
    yield* this.#content(before.content, after.content, 'request', before.name);
  }

  *#responses(before: Operation, after: Operation): Generator<Finding> {
    for (const [status, reference] of Object.entries(before.definition.responses)) {
      const other = after.definition.responses[status];
      if (other === undefined) {
        // oasdiff sees the numbers.
        if (!/^\d+$/.test(status)) yield finding(status, `the response '${status}' is gone`, /-status-/);
        continue;
      }
      const from: Response = resolve(this.#base.document, reference);
      const to: Response = resolve(this.#revision.document, other);
      if (Object.keys(from.content ?? {}).length === 0 && Object.keys(to.content ?? {}).length > 0) {
        yield finding(status, `the response ${status} had no body and has one now`, /^response-media-type-added$/);
      }
      yield* this.#headers(from.headers ?? {}, to.headers ?? {}, status);
      yield* withStatus(this.#content(from.content, to.content, 'response', 'body'), status);
    }
  }

  *#headers(from: Record<string, unknown>, to: Record<string, unknown>, status: string): Generator<Finding> {
    for (const [name, value] of Object.entries(from)) {
      const [, same] = Object.entries(to).find(([other]) => other.toLowerCase() === name.toLowerCase()) ?? [];
      if (!isObject(value) || !isObject(same)) continue;
      const before: Record<string, unknown> = resolve(this.#base.document, value);
      const after: Record<string, unknown> = resolve(this.#revision.document, same);
      const [was, is] = [
        encoding(this.#base.document, before, 'header'),
        encoding(this.#revision.document, after, 'header'),
      ];
      if (was !== is) yield finding(name, `header '${name}' of ${status} was written as ${was} and is ${is}`, /^$/);
      yield* withStatus(this.#schemas.changes(before['schema'], after['schema'], 'response', name), status);
    }
  }

  *#content(
    from: Content | undefined,
    to: Content | undefined,
    direction: Direction,
    subject: string,
  ): Generator<Finding> {
    for (const [type, { schema }] of Object.entries(from ?? {})) {
      const same = to?.[type];
      if (same !== undefined) yield* this.#schemas.changes(schema, same.schema, direction, subject);
    }
  }
}

function* withStatus(findings: Iterable<Finding>, status: string): Generator<Finding> {
  for (const found of findings) yield { ...found, text: `${found.text}, in the response ${status}` };
}

/** Names of headers are the same in upper and lower case. */
function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** How a value is written on the wire: OpenAPI's defaults depend on where it stands. */
function encoding(document: OpenApiDocument, value: object, place: string): string {
  if ('content' in value && isObject(value.content)) return Object.keys(value.content).join(', ');
  const style = 'style' in value ? String(value.style) : place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const schema = 'schema' in value && isSchema(value.schema) ? resolve<Schema>(document, value.schema) : {};
  const explode = 'explode' in value ? value.explode === true : style === 'form';
  // One value alone is written the same way with explode and without.
  const several = [schema.type].flat().some((type) => type === 'array' || type === 'object');
  return several && explode ? `${style}, exploded` : style;
}

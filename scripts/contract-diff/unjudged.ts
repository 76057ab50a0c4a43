import { isDeepStrictEqual } from 'node:util';
import { isReference, resolve } from '../../test/support/reference.ts';
import type { Contract, Operation } from 'openapi-exact';
import type { Change } from './oasdiff.ts';

/** Keywords that clients do not depend on. */
const ANNOTATIONS = new Set(['$comment', 'deprecated', 'description', 'example', 'examples', 'title']);

/**
 * The schemas that changed in an operation without a change that another check reports: headers of
 * responses, items of parameters, `multipleOf`, `not` and others. They count as breaking, whichever
 * way they changed.
 * @param found what the other checks report.
 */
export function unjudgedChanges(base: Contract, revision: Contract, found: readonly Change[]): Change[] {
  return base.operations.flatMap((before) => {
    const place = `${before.method} ${before.path}`;
    const after = revision.operations.find(({ method, path }) => method === before.method && path === before.path);
    if (after === undefined || found.some((change) => change.place === place)) return [];
    const schemas = schemasOf(revision.document, after);
    return [...schemasOf(base.document, before)]
      .filter(([where, schema]) => schemas.has(where) && !isDeepStrictEqual(schema, schemas.get(where)))
      .map(([where]) => ({
        place,
        text: `${where} has another schema, and no check judges the difference`,
        breaking: true,
      }));
  });
}

/** The schemas of an operation by where they stand. */
function schemasOf(
  document: Contract['document'],
  { parameters, requestBody, responses }: Operation,
): Map<string, unknown> {
  const all: [string, { schema?: unknown; content?: unknown }][] = [['the body of the request', requestBody ?? {}]];
  for (const parameter of parameters) all.push([`the ${parameter.in} parameter '${parameter.name}'`, parameter]);
  for (const [status, { headers, content }] of Object.entries(responses)) {
    all.push([`the body of the response ${status}`, { content }]);
    for (const [name, header] of Object.entries(headers)) {
      all.push([`the header '${name}' of the response ${status}`, header]);
    }
  }
  return new Map(all.map(([where, { schema, content }]) => [where, essence(document, { schema, content }, [])]));
}

/**
 * A part of a contract with its references followed, and without annotations.
 * @param isNamed whether its keys are names of properties, not keywords.
 */
function essence(document: Contract['document'], value: unknown, above: readonly string[], isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((item) => essence(document, item, above));
  if (typeof value !== 'object' || value === null) return value;
  if (!isNamed && isReference(value)) {
    if (above.includes(value.$ref)) return value.$ref;
    return essence(document, resolve<object>(document, value), [...above, value.$ref]);
  }
  const entries = Object.entries(value).filter(([name]) => isNamed || !ANNOTATIONS.has(name));
  const isMap = (name: string): boolean => !isNamed && name === 'properties';
  return Object.fromEntries(entries.map(([name, part]) => [name, essence(document, part, above, isMap(name))]));
}

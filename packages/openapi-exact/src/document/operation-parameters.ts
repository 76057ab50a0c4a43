import {
  isQuerystring,
  isVersion32,
  resolve,
  type OpenApiDocument,
  type Parameter,
  type Reference,
  type Schema,
} from '../schema/openapi-document.ts';
import { templateSegments } from './path-template.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { partsOf } from '../schema/schema-graph.ts';
import type { Sources } from './sources.ts';

/** Header parameters that OpenAPI ignores (3.1, "Fixed Fields" of the Parameter Object). */
export const IGNORED_HEADERS: readonly string[] = ['accept', 'content-type', 'authorization'];

type DeclaredParameter = Parameter | Reference;

/**
 * The parameters that a request for an operation can have. A parameter of the path that is not
 * declared is a string.
 * @param given those of the path item, then those of the operation, which replace them.
 * @param diagnostics receives every parameter that cannot be served.
 */
export function operationParameters(
  document: OpenApiDocument,
  sources: Sources,
  path: string,
  given: readonly DeclaredParameter[],
  diagnostics: Diagnostic[],
): DeclaredParameter[] {
  const byName = new Map<string, { reference: DeclaredParameter; parameter: Parameter }>();
  for (const reference of given) {
    const parameter = resolve(document, reference);
    const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
    if (parameter.in === 'header' && name === '') {
      diagnostics.push({ node: parameter, key: 'name', reason: 'a header must have a name.' });
    }
    if (parameter.in === 'header' && IGNORED_HEADERS.includes(name)) continue;
    byName.set(`${parameter.in} ${name}`, { reference, parameter });
  }
  diagnostics.push(...besideQuerystring([...byName.values()].map(({ parameter }) => parameter)));
  const names = templateSegments(path).flatMap((segment) => segment.names);
  const undeclared = names.filter((name) => !byName.has(`path ${name}`));
  const unused = [...byName.values()].filter(
    ({ parameter }) => parameter.in === 'path' && !names.includes(parameter.name),
  );
  // One of each may be a typing error, after which requests would not be checked as intended.
  if (undeclared.length > 0) {
    for (const { parameter } of unused) {
      const what = undeclared.map((name) => `{${name}}`).join(', ');
      const reason = `the parameter '${parameter.name}' is not part of the path ${path}, which has ${what}: use the same name.`;
      diagnostics.push({ node: parameter, key: 'name', reason });
    }
  }
  const declared = [...byName.values()]
    .filter((parameter) => !unused.includes(parameter))
    .map(({ reference, parameter }) => withEmptyValue(document, sources, parameter) ?? reference);
  const added = undeclared.map((name): Parameter => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return [...declared, ...added];
}

/** A query is one value or has parameters (OpenAPI 3.2, "Parameter Locations"). */
function besideQuerystring(parameters: readonly Parameter[]): readonly Diagnostic[] {
  const [first, ...others] = parameters.filter(isQuerystring);
  if (first === undefined) return [];
  return [...others, ...parameters.filter((parameter) => parameter.in === 'query')].map((node) => {
    const reason = `the query is one value, the parameter '${first.name}' in querystring: leave '${node.name}' out.`;
    return { node, key: 'in', reason };
  });
}

/**
 * A parameter with `allowEmptyValue` as one whose value may also be the empty string; undefined
 * for any other.
 */
function withEmptyValue(document: OpenApiDocument, sources: Sources, parameter: Parameter): Parameter | undefined {
  const { schema, allowEmptyValue, ...fields } = parameter;
  // In 3.2, the parameter is then unused, which its reader decides.
  if (isVersion32(document) || allowEmptyValue !== true || fields.in !== 'query' || schema === undefined)
    return undefined;
  const preset = partsOf(document, schema).find((part) => part['default'] !== undefined)?.['default'];
  const choice: Schema = { anyOf: [schema, { type: 'string', const: '' }] };
  const copy = { ...fields, schema: preset === undefined ? choice : { ...choice, default: preset } };
  sources.addCopy(copy, parameter);
  return copy;
}

import { isDeepStrictEqual } from 'node:util';
import type { Contract, Operation } from 'openapi-exact';
import type { Change } from './oasdiff.ts';

type SecurityRequirement = Operation['security'][number];
type Parameter = Operation['parameters'][number];

/** The default style of each location (OpenAPI 3.1.1, "Parameter Object"). */
const STYLES = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** The differences that break clients and that oasdiff does not report, or not as breaking. */
export function changesBeyondOasdiff(base: Contract, revision: Contract): Change[] {
  const gone = base.basePaths.filter((path) => !revision.basePaths.includes(path));
  const servers = gone.map((path) => breaking('servers', `the base path '${path || '/'}' is gone`));
  const operations = base.operations.flatMap((before) => {
    const after = revision.operations.find(({ method, path }) => method === before.method && path === before.path);
    if (after === undefined) return [];
    const texts = [
      ...securityTexts(before.security, after.security),
      ...parameterTexts(before, after),
      ...responseTexts(before, after),
    ];
    return texts.map((text) => breaking(`${before.method} ${before.path}`, text));
  });
  return [...servers, ...operations, ...schemeChanges(base, revision)];
}

function breaking(place: string, text: string): Change {
  return { place, text, breaking: true };
}

/** Credentials that sufficed must suffice, and a protected operation must stay protected. */
function securityTexts(before: readonly SecurityRequirement[], after: readonly SecurityRequirement[]): string[] {
  if (isPublic(before) && isPublic(after)) return [];
  if (isPublic(before)) return ['it needed no credentials and needs some now'];
  if (isPublic(after)) return ['it needed credentials and needs none now'];
  const lost = before.filter((held) => !after.some((needed) => suffices(held, needed)));
  return lost.map((held) => `the credentials ${JSON.stringify(held)} no longer suffice`);
}

function isPublic(alternatives: readonly SecurityRequirement[]): boolean {
  return alternatives.length === 0 || alternatives.some((alternative) => Object.keys(alternative).length === 0);
}

function suffices(held: SecurityRequirement, needed: SecurityRequirement): boolean {
  return Object.entries(needed).every(
    ([name, scopes]) => scopes.every((scope) => held[name]?.includes(scope)) && name in held,
  );
}

function schemeChanges(base: Contract, revision: Contract): Change[] {
  const after = revision.document.components?.securitySchemes ?? {};
  return Object.entries(base.document.components?.securitySchemes ?? {})
    .filter(([name, scheme]) => name in after && !isDeepStrictEqual(essence(scheme), essence(after[name] ?? {})))
    .map(([name]) => breaking('components/securitySchemes', `the credentials '${name}' are of another kind`));
}

/** A security scheme without its description. */
function essence(scheme: object): object {
  return { ...scheme, description: undefined, bearerFormat: undefined };
}

function parameterTexts(before: Operation, after: Operation): string[] {
  return before.parameters.flatMap((parameter) => {
    const same = after.parameters.find(
      (candidate) => candidate.name === parameter.name && candidate.in === parameter.in,
    );
    const [from, to] = [parameter, same ?? parameter].map(encoding);
    return from === to ? [] : [`the parameter '${parameter.name}' was encoded as ${from} and is ${to}`];
  });
}

function encoding(parameter: Parameter): string {
  const { style = STYLES[parameter.in], explode = style === 'form' } = parameter;
  return `${style}${explode ? ', exploded' : ''}`;
}

/**
 * oasdiff ignores statuses such as 4XX, and reports the first content of a response as harmless.
 */
function responseTexts(before: Operation, after: Operation): string[] {
  return Object.entries(before.responses).flatMap(([status, { content: from = {} }]) => {
    const to = after.responses[status];
    if (to === undefined) return /^\d+$/.test(status) ? [] : [`the response '${status}' is gone`];
    const isNew = Object.keys(from).length === 0 && Object.keys(to.content ?? {}).length > 0;
    return isNew ? [`the response ${status} had no body and has one now`] : [];
  });
}

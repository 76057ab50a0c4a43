import { isDeepStrictEqual } from 'node:util';
import {
  resolve,
  type OpenApiDocument,
  type SecurityRequirement,
} from '../../src/contract/document/openapi-document.ts';
import type { Finding } from './operations.ts';

/** The checks of oasdiff that speak of credentials. */
const KIND = /^api-(global-)?security-/;

/**
 * What changed about who gets in: a client whose credentials sufficed must get in as before, and an operation that was
 * protected must stay so, because whoever relies on the service relies on that.
 */
export function* securityChanges(
  base: OpenApiDocument,
  before: readonly SecurityRequirement[],
  revision: OpenApiDocument,
  after: readonly SecurityRequirement[],
): Generator<Finding> {
  const told = (text: string): Finding => ({ subject: '', text, kind: KIND });
  if (open(before)) {
    if (!open(after)) yield told(`anybody could call it, and now it asks for ${after.map(describe).join(' or ')}`);
    return;
  }
  if (open(after)) {
    yield told(`it asked for ${before.map(describe).join(' or ')}, and now anybody can call it`);
    return;
  }
  for (const credentials of before) {
    if (!after.some((needed) => suffices(credentials, needed)))
      yield told(`${describe(credentials)} no longer suffices`);
  }
  const kept = new Set(after.flatMap((alternative) => Object.keys(alternative)));
  for (const name of new Set(before.flatMap((alternative) => Object.keys(alternative)))) {
    if (kept.has(name) && !isDeepStrictEqual(essence(base, name), essence(revision, name))) {
      yield told(`the credentials '${name}' are of another kind`);
    }
  }
}

function open(alternatives: readonly SecurityRequirement[]): boolean {
  return alternatives.length === 0 || alternatives.some((alternative) => Object.keys(alternative).length === 0);
}

function suffices(credentials: SecurityRequirement, needed: SecurityRequirement): boolean {
  return Object.entries(needed).every(([name, scopes]) => {
    const held = credentials[name];
    return held !== undefined && scopes.every((scope) => held.includes(scope));
  });
}

function describe(credentials: SecurityRequirement): string {
  return Object.entries(credentials)
    .map(([name, scopes]) => (scopes.length === 0 ? `'${name}'` : `'${name}' (${scopes.join(', ')})`))
    .join(' with ');
}

/** A scheme without what only people read. */
function essence(document: OpenApiDocument, name: string): Record<string, unknown> {
  const scheme = document.components?.securitySchemes?.[name];
  if (scheme === undefined) return {};
  const {
    description: _description,
    bearerFormat: _format,
    ...rest
  }: Record<string, unknown> = {
    ...resolve(document, scheme),
  };
  return rest;
}

import { didYouMean } from '../errors/nearest.ts';
import {
  isObject,
  type OpenApiDocument,
  type OperationObject,
  type SecurityRequirement,
} from '../schema/openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';

/**
 * The security requirements of an operation: its own, otherwise those of the document.
 * @param diagnostics receives every requirement that cannot be served.
 */
export function operationSecurity(
  document: OpenApiDocument,
  operation: OperationObject,
  diagnostics: Diagnostic[],
): SecurityRequirement[] {
  const owner = operation.security == null ? document : operation;
  const schemes = document.components?.securitySchemes ?? {};
  const requirements: unknown = owner.security ?? [];
  if (!Array.isArray(requirements) || !requirements.every(isObject)) {
    diagnostics.push({ node: owner, key: 'security', reason: 'security must be a list of objects.' });
    return [];
  }
  return requirements.map((requirement: Record<string, unknown>) => {
    const scopesOf = Object.entries(requirement).map(([name, scopes]): [string, string[]] => {
      const refuse = (reason: string): void => void diagnostics.push({ node: requirement, key: name, reason });
      if (!Object.hasOwn(schemes, name)) {
        refuse(
          `components/securitySchemes has no '${name}': declare it there.${didYouMean(name, Object.keys(schemes))}`,
        );
      } else if (!isNone(scopes) && !Array.isArray(scopes)) {
        refuse(`the scopes of '${name}' must be a list, such as [read].`);
      }
      return [name, Array.isArray(scopes) ? scopes.map(String) : []];
    });
    return Object.fromEntries(scopesOf);
  });
}

/** True for the two other forms in which authors write no scopes. */
function isNone(scopes: unknown): boolean {
  return scopes === null || (isObject(scopes) && Object.keys(scopes).length === 0);
}

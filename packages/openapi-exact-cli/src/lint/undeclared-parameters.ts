import { operationsOf, resolve, templateNames, type OpenApiDocument, type Diagnostic } from 'openapi-exact/contract';

/**
 * A warning for each name in a path that no parameter declares: its value may be any string.
 * @param document has the components of all files. @param paths as they were written.
 */
export function undeclaredParameters(
  document: OpenApiDocument,
  { paths }: Partial<Pick<OpenApiDocument, 'paths'>>,
): readonly Diagnostic[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    operationsOf(item).flatMap(([, operation]): Diagnostic[] => {
      const declared = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        .map((parameter) => resolve(document, parameter))
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      const missing = templateNames(path).names.filter((name) => !declared.includes(name));
      return missing.map((name) => {
        const reason = `no parameter declares {${name}} of the path ${path}: declare it, or it is any string.`;
        return { node: operation, key: undefined, reason };
      });
    }),
  );
}

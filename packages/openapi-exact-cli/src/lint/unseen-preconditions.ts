import type { Contract, Operation, Diagnostic } from 'openapi-exact/contract';

/** Methods that change what an entity tag of the same path names. */
const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * A warning for each operation whose handler does not get the entity tags that clients send back:
 * it gets the header parameters that the contract declares, and no others.
 */
export function unseenPreconditions({ operations }: Contract): readonly Diagnostic[] {
  const tagging = new Map(operations.filter(sendsTag).map(({ path, id }) => [path, id]));
  return operations.flatMap((operation): Diagnostic[] => {
    const { id, path, method, responses, definition } = operation;
    if (responses['304'] !== undefined && !takes(operation, 'if-none-match', 'if-modified-since')) {
      const reason = `${id} declares 304, but its handler does not get If-None-Match: declare it as a header parameter.`;
      return [{ node: definition, key: 'responses', reason }];
    }
    const sender = CHANGES.has(method) && !takes(operation, 'if-match') ? tagging.get(path) : undefined;
    if (sender === undefined) return [];
    const reason = `${sender} sends an ETag, but ${id} answers 412 whenever If-Match has one: declare If-Match as a header parameter.`;
    return [{ node: definition, key: 'responses', reason }];
  });
}

function sendsTag({ responses }: Operation): boolean {
  return Object.values(responses).some(({ headers }) => Object.keys(headers).some((name) => /^etag$/i.test(name)));
}

/** Whether an operation declares one of these headers, named in lower case. */
function takes({ parameters }: Operation, ...headers: readonly string[]): boolean {
  return parameters.some((parameter) => parameter.in === 'header' && headers.includes(parameter.name.toLowerCase()));
}

import type { Contract, Operation } from './operations.ts';
import type { Refusal } from './refusal.ts';

/** Methods that change what an entity tag of the same path names. */
const CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * A warning for each operation whose handler does not get the entity tags that clients send back: it
 * gets the header parameters that the contract declares, and no others.
 */
export function unseenPreconditions({ operations }: Contract): readonly Refusal[] {
  return operations.flatMap((operation): Refusal[] => {
    const { id, path, method, responses, definition } = operation;
    const tagged = operations.find((tagging) => tagging.path === path && sendsTag(tagging));
    if (responses['304'] !== undefined && !takes(operation, 'if-none-match', 'if-modified-since')) {
      const reason = `${id} declares 304, but its handler does not get If-None-Match: declare it as a header parameter.`;
      return [{ node: definition, key: 'responses', reason }];
    }
    if (!CHANGES.has(method) || tagged === undefined || takes(operation, 'if-match')) return [];
    const reason = `${tagged.id} sends an ETag, but ${id} answers 412 whenever If-Match has one: declare If-Match as a header parameter.`;
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

import type { Operation } from '../document/read-contract.ts';
import { declaredStatus } from '../document/operations.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { bodyKind } from '../http/media-type.ts';
import { isImpossible } from '../schema/impossible-value.ts';
import type { OpenApiDocument } from '../schema/openapi-document.ts';
import { answeredFailures } from './own-failures.ts';

/**
 * The failures that this library answers, and whose body no value fits: neither it nor an author
 * could answer them. Each declaration is refused once.
 */
export function impossibleFailures(document: OpenApiDocument, operations: readonly Operation[]): readonly Diagnostic[] {
  const judged = new Map<object, boolean>();
  return operations.flatMap((operation) =>
    answeredFailures(operation).flatMap(([status]): Diagnostic[] => {
      const { content } = operation.responses[declaredStatus(operation.responses, status) ?? ''] ?? {};
      if (content === undefined || judged.has(content)) return [];
      const declared = Object.entries(content);
      const isRefused =
        declared.length > 0 &&
        declared.every(([type, { schema }]) => bodyKind(type) === 'json' && isImpossible(document, schema));
      judged.set(content, isRefused);
      if (!isRefused) return [];
      const reason = `no value fits the body of ${status}, which the service answers for ${operation.id} itself: correct its schema.`;
      return [{ node: content, key: declared[0]?.[0], reason }];
    }),
  );
}

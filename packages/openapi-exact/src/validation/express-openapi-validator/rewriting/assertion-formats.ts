import { isExpression } from '../../../schema/pattern.ts';
import type { Schema } from '../../../schema/openapi-document.ts';
import { withoutKeywords, withParts, type Rewriter, type Source } from './step.ts';

/**
 * Asserts numbers, formats, patterns and the lengths of names by formats, which know the exact
 * number and the name itself.
 */
export function assertionFormats(schema: Schema, { node, rewriter }: Source): Schema {
  const { formats, isForNames } = rewriter;
  const length = isForNames ? formats.ofLengths(node) : undefined;
  const ofNumbers = [formats.ofNumbers(node), formats.ofOwnNumbers(node)];
  const names = [...ofNumbers, formats.ofTexts(node), patternFormat(node, rewriter), length];
  const [first, ...furtherFormats] = names.filter((name) => name !== undefined);
  const measured = isForNames ? withoutKeywords(schema, ['minLength', 'maxLength']) : schema;
  return withParts(
    first === undefined ? measured : { ...measured, format: first },
    furtherFormats.map((format) => ({ format })),
  );
}

/** The format for a pattern. The check of the document refuses a malformed expression. */
function patternFormat({ pattern }: Schema, { formats, isForNames }: Rewriter): string | undefined {
  if (typeof pattern !== 'string' || !isExpression(pattern)) return undefined;
  return formats.ofPattern(pattern, isForNames);
}

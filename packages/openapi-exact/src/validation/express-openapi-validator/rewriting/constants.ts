import { list, type Schema } from '../../../schema/openapi-document.ts';
import { JsonCopy } from '../exact-message.ts';
import { propertyKey } from '../property-keys.ts';
import { withoutKeywords, type Rewriter, type Source } from './step.ts';

/**
 * Gives constants the doubles and keys that messages have for them. A `const` becomes an `enum`: of
 * that alone the validator names the values.
 */
export function constants(schema: Schema, { node, rewriter }: Source): Schema {
  const { enum: allowed, const: only } = schema;
  const { formats } = rewriter;
  if (allowed !== undefined) {
    const copied = copyOf(allowed, rewriter);
    formats.addEnum(list(copied), list(node['enum']));
    const constant = 'const' in schema ? { const: copyOf(only, rewriter) } : {};
    return { ...schema, ...constant, enum: copied };
  }
  if (!('const' in schema)) return schema;
  const copied = [copyOf(only, rewriter)];
  formats.addEnum(copied, [node['const']], 'const');
  return { ...withoutKeywords(schema, ['const']), enum: copied };
}

function copyOf(constant: unknown, { isForNames, constants: numbers }: Rewriter): unknown {
  return new JsonCopy(isForNames ? keyConstant(constant) : constant, numbers).value;
}

/** A constant for names, or several. */
function keyConstant(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((constant: unknown) => keyConstant(constant));
  return typeof value === 'string' ? propertyKey(value) : value;
}

import pg from 'pg';

/** A value in a statement; numbers are safe integers. */
type Literal = bigint | number | string | Uint8Array | null | readonly bigint[] | readonly string[];

/**
 * Writes a statement with its values as literals. The simple query protocol, which sends several
 * statements in one message, has no parameters
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SIMPLE-QUERY).
 */
export function sqlText(texts: readonly string[], ...values: readonly Literal[]): string {
  return texts.map((text, index) => text + (index < values.length ? sqlLiteral(values[index] ?? null) : '')).join('');
}

function sqlLiteral(value: Literal): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (value instanceof Uint8Array) {
    // Without a backslash, whose meaning is a setting of the database.
    return `decode('${Buffer.from(value).toString('hex')}', 'hex')`;
  }
  // A typed text: a bare -9223372036854775808 would be numeric.
  if (typeof value !== 'object') return `'${BigInt(value)}'::bigint`;
  return isTexts(value) ? `ARRAY[${value.map(sqlLiteral).join(',')}]::text[]` : `'{${value.join(',')}}'::bigint[]`;
}

function isTexts(values: readonly bigint[] | readonly string[]): values is readonly string[] {
  return typeof values[0] === 'string';
}

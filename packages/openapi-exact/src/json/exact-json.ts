/**
 * The JSON of a value, with each `bigint` as an integer; `null` for one without JSON. It takes less
 * of a page than lossless-json's `stringify`, and `JSON.rawJSON` is too new.
 */
export function exactJson(value: unknown): string {
  return jsonOf(value) ?? 'null';
}

/** Undefined for what JSON leaves out, such as a function. */
function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null || isBoxed(value)) return JSON.stringify(value);
  if (isLosslessNumber(value)) return value.value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return jsonOf(Reflect.apply(toJSON, value, []));
  // `from` keeps the holes of an array, which `map` skips.
  if (Array.isArray(value)) return `[${Array.from(value, exactJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const json = jsonOf(member);
    return json === undefined ? [] : [`${JSON.stringify(key)}:${json}`];
  });
  return `{${members.join(',')}}`;
}

/** The test of lossless-json, which would bring its parser into a page. */
export function isLosslessNumber(value: object): value is { readonly value: string } {
  return 'isLosslessNumber' in value && value.isLosslessNumber === true;
}

function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean;
}

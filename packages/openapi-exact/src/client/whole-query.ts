import type { GivenParameter } from './given-parameter.ts';
import type { ParameterStyle, QuerystringShape } from './shape.ts';

/**
 * A query that is one value: JSON, another text, or a form, in which a list has its name once for
 * each item, and an object is JSON (OpenAPI, "Encoding Object").
 * @throws TypeError for a value that it cannot hold.
 */
export function wholeQueryText(
  query: GivenParameter,
  { kind, styles = {} }: QuerystringShape,
  write: (property: GivenParameter) => string,
): string {
  const { value } = query;
  if (kind !== 'form') return encodeURIComponent(kind === 'text' && typeof value === 'string' ? value : query.json);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('params.query must be an object: the query is a form.');
  const given = Object.entries(value).filter(([, property]) => property !== undefined);
  return given
    .map(([name, property]: [string, unknown]) => {
      const style = Object.hasOwn(styles, name) ? styles[name] : defaultStyle(property);
      const otherNames = given.map(([other]) => other).filter((other) => other !== name);
      return write(query.property({ name, value: property, style, otherNames }));
    })
    .join('&');
}

function defaultStyle(property: unknown): ParameterStyle | undefined {
  return typeof property === 'object' && !Array.isArray(property) ? 'json' : undefined;
}

import { exactJson } from '../json/exact-json.ts';
import { serializeInUrl } from './parameter-text.ts';
import type { ParameterStyle, QuerystringShape } from './shape.ts';

/** How a property of a form is written: a list as its name once for each item. */
const FORM: ParameterStyle = { style: 'form', explode: true };

/**
 * The parts of a query that is one value: one, or the pairs of a form.
 * @throws TypeError for a value that it cannot hold.
 */
export function querystringTexts({ kind, styles = {} }: QuerystringShape, value: unknown): string[] {
  if (value === undefined) return [];
  if (kind === 'json') return [encodeURIComponent(exactJson(value))];
  if (kind === 'text') return value === '' ? [] : [encodeURIComponent(textOf(value))];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('params.query must be an object: the query is a form.');
  const given = Object.entries(value).filter(([, property]) => property !== undefined);
  return given.map(([name, property]: [string, unknown]) => {
    const style = Object.hasOwn(styles, name) ? (styles[name] ?? FORM) : isNested(property) ? 'json' : FORM;
    const otherNames = given.map(([other]) => other).filter((other) => other !== name);
    return serializeInUrl({ location: 'query', name, value: property, style, otherNames });
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value);
}

/** An object is JSON (OpenAPI, "Encoding Object"). */
function isNested(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

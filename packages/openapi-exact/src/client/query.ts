import { createQuerySerializer } from 'openapi-fetch';
import { exactJson } from './exact-json.ts';
import type { OperationShape, QueryStyle } from './shape.ts';

/** The default of OpenAPI. */
const FORM_STYLE: QueryStyle = { style: 'form', explode: true };

/** Writes the query of a request, each parameter in the style that the contract declares. */
export function queryText({ queryStyles = {} }: OperationShape, query: Readonly<Record<string, unknown>>): string {
  return Object.entries(query)
    .map(([name, value]) => parameterText(name, value, queryStyles[name] ?? FORM_STYLE))
    .filter((text) => text !== '')
    .join('&');
}

function parameterText(name: string, value: unknown, style: QueryStyle): string {
  if (value === undefined || value === null) return '';
  if (style === 'json') return `${encodeURIComponent(name)}=${encodeURIComponent(exactJson(value))}`;
  // Safe: only arrays have the styles with delimiters, and only objects deepObject.
  const array = style as { style: 'form'; explode: boolean };
  return createQuerySerializer({ array, object: array })({ [name]: value });
}

import { parse } from 'lossless-json';
import { MAX_DEPTH } from '../bodies/json-body.ts';
import type { RequestError } from '../../errors.ts';

/**
 * Parses the JSON of a parameter; numbers become `LosslessNumber`s.
 * @throws what `refuse` returns for malformed JSON, or JSON that is nested deeper than a body's may be.
 */
export function parseJsonText(text: string, refuse: () => RequestError): unknown {
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw refuse();
  }
  if (!isShallow(value, MAX_DEPTH)) throw refuse();
  return value;
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((child) => isShallow(child, depth - 1));
}

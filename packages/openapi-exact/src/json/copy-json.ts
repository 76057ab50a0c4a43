import { isLosslessNumber } from 'lossless-json';
import { setOwn } from './set-own.ts';

/** A copy of a JSON value. @param onValue is called for each value before it is made. */
export function copyJson(value: unknown, onValue?: () => void): unknown {
  onValue?.();
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(item, onValue));
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value)) setOwn(copy, key, copyJson(child, onValue));
  return copy;
}

import { types } from 'node:util';

/** The kind of an object whose content JSON does not write, such as Map; undefined for others. */
export function unwrittenKind(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const isWritten = kind === 'Object' || Object.keys(value).length > 0;
  return isWritten && !ArrayBuffer.isView(value) && !types.isBoxedPrimitive(value) ? undefined : kind;
}

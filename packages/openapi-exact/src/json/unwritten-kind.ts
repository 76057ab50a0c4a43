import { types } from 'node:util';

/** The kind of an object whose content JSON does not write: Map, Promise; undefined for others. */
export function unwrittenKind(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (isPromise(value)) return 'Promise';
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  const isWritten = kind === 'Object' || Object.keys(value).length > 0;
  return isWritten && !ArrayBuffer.isView(value) && !types.isBoxedPrimitive(value) ? undefined : kind;
}

/** True for a promise, and for what may be awaited like one, such as a query builder. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Keeps a rejected promise that is never awaited from ending the process. Starts no thenable. */
export function ignoreRejection(value: PromiseLike<unknown>): void {
  if (types.isPromise(value)) value.catch(() => undefined);
}

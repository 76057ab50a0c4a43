import { isLosslessNumber, stringify } from 'lossless-json';
import { MismatchError } from '../errors/invalid-response-error.ts';
import type { DeclaredJson } from './declared-json.ts';
import { setOwn } from './set-own.ts';
import { isSpecialKey } from './special-keys.ts';
import { withoutStack } from '../errors/without-stack.ts';
import { ignoreRejection, isPromise, unwrittenKind } from './unwritten-kind.ts';

/**
 * A JSON value that nothing can change any more, and its text: what is checked is what is sent.
 * Getters, `toJSON` and proxies of the given value are read once, here.
 */
export class JsonBody {
  /**
   * Objects, arrays and scalars that have nothing but their JSON content; undefined for what JSON
   * does not write. A `bigint` that a double holds is a number.
   */
  readonly value: unknown;
  /**
   * Whether doubles hold all numbers, and no key is special. A double beyond 2^53 may have been
   * rounded: it is not plain either.
   */
  isPlain = true;

  /**
   * @param declared what is copied of it; all by default. What is not declared is not read.
   * @throws TypeError for an object such as a Map, RangeError for NaN or Infinity, MismatchError
   * for a value that contains itself.
   */
  constructor(given: unknown, declared?: DeclaredJson) {
    try {
      const copy = this.#copy(given, declared);
      this.value = declared === undefined ? copy : declared.decided(copy);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      throw new MismatchError({ place: '', keyword: 'type', limits: 'depth' }, { cause: error });
    }
  }

  /** The value as JSON, with exact integers. */
  get text(): string {
    // JSON.stringify has no digits for a bigint; the other one takes several times as long.
    return (this.isPlain ? JSON.stringify(this.value) : stringify(this.value)) ?? 'null';
  }

  /** @returns undefined for what JSON leaves out of an object, and writes as null in an array. */
  #copy(value: unknown, declared?: DeclaredJson): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return this.#number(value);
      case 'bigint':
        return this.#bigint(value);
      case 'object':
        return value === null ? null : this.#structure(value, declared);
      default:
        return undefined;
    }
  }

  #number(value: number): number {
    if (!Number.isFinite(value)) throw withoutStack(() => new RangeError(`JSON has no number ${value}`));
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) this.isPlain = false;
    return value;
  }

  #bigint(value: bigint): number | bigint {
    const double = Number(value);
    if (Number.isSafeInteger(double)) return double;
    this.isPlain = false;
    return value;
  }

  #structure(value: object, declared: DeclaredJson | undefined): unknown {
    if (isLosslessNumber(value)) {
      this.isPlain = false;
      return value;
    }
    if (hasJson(value)) return this.#copy(value.toJSON(), declared);
    const restricting = declared?.isOpen === true ? undefined : declared;
    if (Array.isArray(value)) return this.#array(value, restricting);
    return restricting === undefined ? this.#object(value) : this.#declaredObject(value, restricting);
  }

  #array(array: readonly unknown[], declared: DeclaredJson | undefined): unknown[] {
    const { length } = array;
    const copy: unknown[] = [];
    for (let index = 0; index < length; index++) {
      copy.push(this.#copy(array[index], declared?.itemOf(index)) ?? null);
    }
    return copy;
  }

  #declaredObject(object: object, declared: DeclaredJson): Record<string, unknown> {
    requireWritten(object);
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(object)) {
      const property = declared.propertyOf(key);
      if (property === undefined) continue;
      if (isSpecialKey(key)) this.isPlain = false;
      // It has the key.
      const copied = this.#copy((object as Readonly<Record<string, unknown>>)[key], property);
      if (copied !== undefined) setOwn(copy, key, copied);
    }
    return copy;
  }

  #object(object: object): Record<string, unknown> {
    requireWritten(object);
    const copy: Record<string, unknown> = { ...object };
    let isWhole = true;
    for (const key in copy) {
      if (isSpecialKey(key)) this.isPlain = false;
      const value = copy[key];
      if (typeof value === 'string') continue;
      const copied = this.#copy(value);
      if (copied === undefined) isWhole = false;
      if (copied !== value) copy[key] = copied;
    }
    return isWhole ? copy : withoutUndefined(copy);
  }
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** @throws TypeError for an object that JSON does not write, such as a Map or a promise. */
function requireWritten(object: object): void {
  const unwritten = unwrittenKind(object);
  if (unwritten === undefined) return;
  const isForgotten = isPromise(object);
  if (isForgotten) ignoreRejection(object);
  const cure = isForgotten ? 'await it' : 'give its content as an object, an array or a text';
  throw withoutStack(() => new TypeError(`JSON has no ${unwritten}: ${cure}`));
}

/** The properties that JSON writes, in a new object: to delete some makes V8 keep a hash table. */
function withoutUndefined(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) if (value !== undefined) setOwn(kept, key, value);
  return kept;
}

/** True for the failure of a function, or a regular expression, whose stack is full. */
export function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

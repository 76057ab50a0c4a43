import { isLosslessNumber } from 'lossless-json';
import { setOwn } from '../../json/set-own.ts';
import { Evaluations } from './evaluations.ts';
import { EVALUATED, propertyKey } from './property-keys.ts';
import { markRepeated } from './repeated-items.ts';
import { StandIns } from './stand-ins.ts';

/** Traits of the schemas of a message. */
export interface MessageTraits {
  /** Whether the schemas ask for items that differ. */
  readonly isAskedForDistinctItems: boolean;
  /** Whether one value may be evaluated many times. */
  readonly isAmbiguous: boolean;
}

/** An object of a message, as the validator gets it. */
class ObjectCopy {
  [key: string]: unknown;
  readonly #number: number;

  constructor(number: number) {
    this.#number = number;
  }

  /** Only schemas that name it find it. */
  get [EVALUATED](): number {
    return this.#number;
  }
}
// The validator compares constructors.
Reflect.deleteProperty(ObjectCopy.prototype, 'constructor');

/**
 * A copy of JSON in which every number is a double, itself or its stand-in, and every object has a
 * number.
 */
export class JsonCopy {
  readonly value: unknown;
  /** The number of values. */
  values = 0;
  /** By the numbers of the objects: each with its values, except other objects with theirs. */
  readonly objects: number[] = [];
  readonly #numbers: StandIns;
  /** Gets the values of each nested list when the validator reads it. */
  readonly #onRead: ((values: number) => void) | undefined;
  /** The values since the innermost object began. */
  #own = 0;

  /**
   * @param value with numbers as `LosslessNumber`, `bigint` or number.
   * @throws RangeError for a number that JSON does not have.
   */
  constructor(value: unknown, numbers: StandIns, onRead?: (values: number) => void) {
    this.#numbers = numbers;
    this.#onRead = onRead;
    this.value = this.#copy(value);
  }

  #copy(value: unknown): unknown {
    this.values += 1;
    this.#own += 1;
    switch (typeof value) {
      case 'bigint': {
        const double = Number(value);
        return Number.isSafeInteger(double) ? double : this.#numbers.doubleOf(String(value));
      }
      case 'number':
        return this.#numbers.doubleOfNumber(value);
      case 'object':
        if (value === null) return value;
        if (isLosslessNumber(value)) return this.#numbers.doubleOf(value.value);
        return Array.isArray(value) ? this.#items(value) : this.#properties(value);
      default:
        return value;
    }
  }

  #properties(value: object): ObjectCopy {
    const outer = this.#own;
    this.#own = 1;
    const number = this.objects.push(0) - 1;
    const copy = new ObjectCopy(number);
    for (const [key, child] of Object.entries(value)) setOwn(copy, propertyKey(key), this.#copy(child));
    this.objects[number] = this.#own;
    this.#own = outer;
    return copy;
  }

  #items(value: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (const item of value) {
      const before = this.#own;
      const child = this.#copy(item);
      copy.push(child);
      const onRead = this.#onRead;
      if (onRead === undefined || !Array.isArray(item) || !item.some(Array.isArray)) continue;
      const values = this.#own - before;
      this.#own = before;
      Object.defineProperty(copy, copy.length - 1, { get: () => (onRead(values), child), enumerable: true });
    }
    return copy;
  }
}

/** A message that is checked on a copy, and what is known of it during its one check. */
export class ExactMessage {
  readonly copy: unknown;
  readonly numbers: StandIns;
  readonly evaluations: Evaluations;

  /** @param constants the stand-ins of the contract. */
  constructor(
    parts: Readonly<Record<string, unknown>>,
    constants: StandIns,
    { isAskedForDistinctItems, isAmbiguous }: MessageTraits,
  ) {
    this.numbers = new StandIns(constants);
    const onRead = (values: number): void => {
      this.evaluations.countValues(values);
    };
    const copy = new JsonCopy(parts, this.numbers, isAmbiguous ? onRead : undefined);
    this.evaluations = new Evaluations(copy.values, copy.objects);
    if (isAskedForDistinctItems) markRepeated(copy.value);
    this.copy = copy.value;
  }
}

/** The numbers of a contract, and the message whose check goes on: checks are synchronous. */
export class CurrentCheck {
  readonly constants = new StandIns();
  message: ExactMessage | undefined;

  /** Judges a message on its copy. */
  judgeCopy<T>(parts: Readonly<Record<string, unknown>>, traits: MessageTraits, judge: (copy: unknown) => T): T {
    this.message = new ExactMessage(parts, this.constants, traits);
    try {
      return judge(this.message.copy);
    } finally {
      this.message = undefined;
    }
  }

  /** The numbers that doubles mean during this check. */
  get numbers(): StandIns {
    return this.message?.numbers ?? this.constants;
  }
}

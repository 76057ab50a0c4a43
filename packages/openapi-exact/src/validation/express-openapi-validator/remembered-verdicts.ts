import type { Schema } from '../../schema/openapi-document.ts';
import type { Evaluations } from './evaluations.ts';
import type { CurrentCheck } from './exact-message.ts';
import type { ValidatorFormats } from './validator-formats.ts';
import { EVALUATED } from './property-keys.ts';

/** A condition and what is asked where it holds, and where it does not. */
export interface ConditionalSchema {
  readonly if: Schema | true;
  readonly then: unknown;
  readonly else: Schema | false;
}

/**
 * Puts the verdicts of {@link Evaluations} in front of schemas, so that each is asked once about an
 * object. The validator follows its references by itself, and asks only formats: each object of a
 * copied message has its number as a property, which a format gets.
 */
export class RememberedVerdicts {
  readonly #formats: ValidatorFormats;
  readonly #check: CurrentCheck;
  readonly #counting: Schema;
  #schemas = 0;

  constructor(formats: ValidatorFormats, check: CurrentCheck) {
    this.#formats = formats;
    this.#check = check;
    this.#counting = this.#asking('counted', (evaluations, object) => evaluations.countObject(object));
  }

  /** A schema whose verdict on an object is remembered for one message. */
  remembered(schema: unknown): ConditionalSchema {
    const number = this.#schemas++;
    const isFirst = this.#asking(`${number} first`, (evaluations, object) => evaluations.isFirst(number, object));
    const hold = this.#asking(`${number} hold`, (evaluations, object) => evaluations.hold(number, object));
    const held = this.#asking(`${number} held`, (evaluations, object) => evaluations.isHeld(number, object));
    return { if: isFirst, then: { allOf: [schema, hold] }, else: held };
  }

  /** A schema whose evaluations are counted: no verdict tells what of an object it evaluates. */
  counted(schema: unknown): ConditionalSchema {
    return { if: this.#counting, then: schema, else: false };
  }

  /** A schema that refuses the objects whose numbers a function refuses, and nothing else. */
  #asking(name: string, ask: (evaluations: Evaluations, object: number) => boolean): Schema {
    const format = `evaluation ${name}`;
    this.#formats.addFormat(format, {
      type: 'number',
      // Only copies of messages have numbers of objects.
      validate: (object) => this.#check.message === undefined || ask(this.#check.message.evaluations, object),
    });
    return { properties: { [EVALUATED]: { format } } };
  }
}

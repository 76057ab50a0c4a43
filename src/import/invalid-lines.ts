import { INT64_DESCRIPTION } from 'openapi-exact/int64';
import type { InvalidLine, Problem } from './read-ids.ts';

/** Maximum number of invalid lines that are shown; further ones are only counted. */
const NAMED_LINES = 20;

/** What is said of a line beside its text. */
const ADVICE: Readonly<Record<Exclude<Problem, 'no field id'>, string>> = {
  'leading zeros': ' (write it without leading zeros)',
  'other columns': ' (not as many columns as the header)',
  'no JSON object': ' (not a JSON object with each name once)',
  'no id': '',
};

/** The invalid lines of an input, for a message. */
export class InvalidLines {
  readonly #named: string[] = [];
  #wrong = 0;
  /** The first line without a field `id`, and the number of them. */
  #first = 0;
  #missing = 0;

  get count(): number {
    return this.#wrong + this.#missing;
  }

  noteLine({ line, excerpt, problem }: InvalidLine): void {
    if (problem === 'no field id') {
      if (this.#missing++ === 0) this.#first = line;
    } else if (++this.#wrong <= NAMED_LINES) {
      this.#named.push(`line ${line} is ${JSON.stringify(excerpt)}${ADVICE[problem]}`);
    }
  }

  /** One message for each of the first lines, and one for all that lack the field. */
  messages(): readonly string[] {
    const omitted = this.#wrong - this.#named.length;
    return [
      ...this.#named,
      ...(omitted > 0 ? [`and ${omitted} more`] : []),
      ...(this.#missing > 0 ? [this.#missingField()] : []),
    ];
  }

  /** What would be right. */
  advice(): string {
    const sentences = [
      ...(this.#missing > 0 ? ['Each line needs a field id, such as {"id":12}.'] : []),
      ...(this.#wrong > 0 ? [`An id is ${INT64_DESCRIPTION}.`] : []),
    ];
    return sentences.join(' ');
  }

  #missingField(): string {
    return this.#missing === 1
      ? `line ${this.#first} has no field id`
      : `line ${this.#first} and ${this.#missing - 1} more have no field id`;
  }
}

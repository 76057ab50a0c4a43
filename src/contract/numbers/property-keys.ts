import { REPEATED } from './repeated-items.ts';

/** Names of properties that every object inherits, such as `constructor`, and that of the mark. */
const INHERITED: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), REPEATED]);
const MARK = '\0';

/**
 * The keys by which the validator knows properties. It takes an inherited property for one that an
 * object has: where schemas use such names, they get a mark, in schemas and in messages.
 */
export class PropertyKeys {
  readonly #marked = new Set<string>();

  /** The key of a property that a schema names. */
  declare(name: string): string {
    if (INHERITED.has(name)) this.#marked.add(name);
    return this.of(name);
  }

  /** Prepares for a schema that asks for all properties of an object. */
  declareAll(): void {
    for (const name of INHERITED) this.#marked.add(name);
  }

  /** A pattern of names, with the flag u, as one of keys. */
  pattern(pattern: string): string {
    const expression = new RegExp(pattern, 'u');
    const differing = [...INHERITED].filter((name) => expression.test(name) !== expression.test(`${name}${MARK}`));
    if (differing.length === 0) return pattern;
    const fitting = differing.filter((name) => expression.test(name)).map((name) => `^${name}\\0$`);
    return [...fitting, `^(?!(?:${differing.join('|')})\\0$)[^]*?(?:${pattern})`].join('|');
  }

  /** The key of a property of a message. */
  of(name: string): string {
    if (this.#marked.size === 0) return name;
    return this.#marked.has(withoutMarks(name)) ? `${name}${MARK}` : name;
  }

  /** The name of a key. */
  nameOf(key: string): string {
    return key.endsWith(MARK) && this.#marked.has(withoutMarks(key)) ? key.slice(0, -MARK.length) : key;
  }
}

/** A text of the validator with the names themselves. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

import { declaredType, givenType } from '../http/media-type.ts';
import type { PartHead } from './multipart-parser.ts';

/** The features of the parts of one property, which tell them from others. */
interface PartDescription {
  /** Whether a part has a value, which its schema describes. */
  readonly hasValue: boolean;
  /** The media types that a part may have. */
  readonly mediaTypes: readonly string[];
}

/**
 * Names the parts that have no name of their own, as in multipart/related (RFC 2387): each is the
 * property that its Content-ID names, or else the only one whose `encoding` has its media type.
 */
export class PartNames {
  readonly #parts: ReadonlyMap<string, PartDescription>;

  /** @param parts the properties of the body by name. */
  constructor(parts: ReadonlyMap<string, PartDescription>) {
    this.#parts = parts;
  }

  /** The name of a part; '' for a part that could be several properties, or none. */
  partName({ name, contentType = 'text/plain', headers }: PartHead): string {
    if (name !== '') return name;
    const fitting = this.#fitting(contentType);
    const id = /^<?([^<>]*)>?$/.exec(headers['content-id'] ?? '')?.[1] ?? '';
    if (fitting.includes(id)) return id;
    const [only = '', ...furtherNames] = fitting;
    return furtherNames.length === 0 ? only : '';
  }

  /** The properties with values that a part without a name cannot be told from. */
  get ambiguous(): readonly string[] {
    return [...this.#parts]
      .filter(([, { hasValue, mediaTypes }]) => hasValue && mediaTypes.some((type) => this.#fitting(type).length > 1))
      .map(([name]) => name);
  }

  #fitting(contentType: string): readonly string[] {
    const given = givenType(contentType);
    return [...this.#parts]
      .filter(([, { mediaTypes }]) => declaredType(mediaTypes, contentType, given) !== undefined)
      .map(([name]) => name);
  }
}

import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document, type YAMLMap } from 'yaml';

/** A place in a text; lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML text in which values are found by their paths. */
export class YamlPositions {
  readonly #document: Document;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines });
  }

  /** The place of the last key or list item of a path that the text has. */
  positionOf(path: readonly (string | number)[]): Position {
    let value: unknown = this.#document.contents;
    let offset = 0;
    for (const step of path) {
      if (isAlias(value)) value = value.resolve(this.#document);
      if (isMap(value)) {
        const pair = pairOf(value, String(step));
        if (pair === undefined) break;
        offset = offsetOf(pair.key) ?? offset;
        value = pair.value;
      } else if (isSeq(value)) {
        value = value.items[Number(step)];
        offset = offsetOf(value) ?? offset;
      } else break;
    }
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }
}

/** The pair with a key: the YAML value as text or, for large numbers, its source. */
function pairOf({ items }: YAMLMap, key: string): YAMLMap['items'][number] | undefined {
  return items.find(({ key: name }) => isScalar(name) && [String(name.value), name.source].includes(key));
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

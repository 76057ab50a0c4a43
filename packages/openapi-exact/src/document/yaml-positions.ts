import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';
import { partOf } from './text-part.ts';

/** A place in a text; lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Beyond so many paths, reading the whole text once takes less time. */
const MOST_PARTS = 20;

/** The places of the last keys or list items of paths that a YAML text has. */
export function yamlPositions(text: string, paths: readonly (readonly (string | number)[])[]): readonly Position[] {
  const whole = new ParsedPart(text, 0);
  return paths.map((path) => {
    if (paths.length > MOST_PARTS) return positionAt(text, whole.offsetOf(path) ?? 0);
    const { start, end, depth } = partOf(text, path);
    const part = depth === 0 ? whole : new ParsedPart(text.slice(start, end), start);
    return positionAt(text, part.wholeOffsetOf(path.slice(depth)) ?? whole.offsetOf(path) ?? 0);
  });
}

/** A part of a YAML text, parsed when it is asked. */
class ParsedPart {
  readonly #text: string;
  readonly #start: number;
  #parsed: Document | undefined;

  /** @param start where the part begins in the text. */
  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
  }

  get #document(): Document {
    this.#parsed ??= parseDocument(this.#text);
    return this.#parsed;
  }

  /** The offset of the last key or list item of a path; undefined where the part lacks a step. */
  wholeOffsetOf(path: readonly (string | number)[]): number | undefined {
    if (this.#document.errors.length > 0) return undefined;
    const { offset, isWhole } = this.#find(path);
    return isWhole ? offset : undefined;
  }

  /** The offset of the last key or list item of a path that the part has. */
  offsetOf(path: readonly (string | number)[]): number | undefined {
    return this.#find(path).offset;
  }

  #find(path: readonly (string | number)[]): { readonly offset: number | undefined; readonly isWhole: boolean } {
    let value: unknown = this.#document.contents;
    let offset: number | undefined;
    for (const step of path) {
      if (isAlias(value)) value = value.resolve(this.#document);
      const [found, next] = stepInto(value, step);
      if (found === undefined) return { offset, isWhole: false };
      offset = this.#start + found;
      value = next;
    }
    return { offset, isWhole: true };
  }
}

/** The offset of a key or an item of a value, and what it holds. */
function stepInto(value: unknown, step: string | number): readonly [offset: number | undefined, value: unknown] {
  if (isMap(value)) {
    const pair = pairOf(value, String(step));
    return [offsetOf(pair?.key), pair?.value];
  }
  if (!isSeq(value)) return [undefined, undefined];
  const item = value.items[Number(step)];
  return [offsetOf(item), item];
}

function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    start = at + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The pair with a key: the YAML value as text or, for large numbers, its source. */
function pairOf({ items }: YAMLMap, key: string): YAMLMap['items'][number] | undefined {
  return items.find(({ key: name }) => isScalar(name) && [String(name.value), name.source].includes(key));
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

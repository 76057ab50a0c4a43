import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Document, type YAMLMap } from 'yaml';
import { jsonOffsets } from './json-offsets.ts';
import { partOf } from './text-part.ts';

/** A place in a text; lines and columns start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Beyond so many paths, reading the whole text once takes less time. */
const MOST_PARTS = 20;

/** The places of the last keys or list items of paths that a text of YAML or JSON has. */
export function yamlPositions(text: string, paths: readonly (readonly (string | number)[])[]): readonly Position[] {
  const lines = new Lines(text);
  const offsets = jsonOffsets(text, paths) ?? yamlOffsets(text, paths);
  return offsets.map((offset = 0) => lines.positionAt(offset));
}

function yamlOffsets(text: string, paths: readonly (readonly (string | number)[])[]): readonly (number | undefined)[] {
  const whole = new ParsedPart(text, 0);
  return paths.map((path) => {
    if (paths.length > MOST_PARTS) return whole.offsetOf(path);
    const { start, end, depth } = partOf(text, path);
    const part = depth === 0 ? whole : new ParsedPart(text.slice(start, end), start);
    return part.wholeOffsetOf(path.slice(depth)) ?? whole.offsetOf(path);
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

/** The beginnings of the lines of a text. */
class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  positionAt(offset: number): Position {
    let [line, after] = [0, this.#starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}

/** The pair with a key: the YAML value as text or, for large numbers, its source. */
function pairOf({ items }: YAMLMap, key: string): YAMLMap['items'][number] | undefined {
  return items.find(({ key: name }) => isScalar(name) && [String(name.value), name.source].includes(key));
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

import { isNode, isScalar, parseDocument, visit, type Node, type Pair } from 'yaml';
import type { Edit } from './mutant.ts';

/** Keys of texts for people. */
const PROSE = new Set(['info', 'tags', 'description', 'summary', 'example', 'examples']);

/** By value: what a mutant has instead of it. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ...([
    ['true', 'false'],
    ['integer', 'string'],
    ['string', 'integer'],
    ['int64', 'int32'],
    ['int32', 'int64'],
  ] as const),
  ...([
    ['path', 'query'],
    ['bearer', 'basic'],
  ] as const),
]);

/**
 * The mutants of a contract, from its syntax tree: each entry removed, types, formats and booleans
 * changed, statuses and methods replaced.
 */
export function contractEdits(text: string): Edit[] {
  const edits: Edit[] = [];
  visit(parseDocument(text), {
    Pair: (_, pair) => {
      const key = pair.key;
      if (!isScalar(key) || !key.range) return undefined;
      if (PROSE.has(String(key.value))) return visit.SKIP;
      const [start] = key.range;
      edits.push({ operator: 'removed entry', ...wholeLines(text, start, endOf(pair) ?? key.range[1]) });
      const name = otherName(String(key.value));
      if (name !== undefined) edits.push({ operator: 'changed key', start, end: key.range[1], after: name });
      return undefined;
    },
    Seq: (_, { items }) => {
      for (const item of items) {
        const range = isNode(item) ? item.range : undefined;
        if (range) edits.push({ operator: 'removed item', ...wholeLines(text, range[0], range[1]) });
      }
    },
    Scalar: (position, { value, range }) => {
      const after = VALUES.get(String(value));
      if (position !== 'key' && after !== undefined && range)
        edits.push({ operator: 'changed value', start: range[0], end: range[1], after });
    },
  });
  return edits;
}

function endOf({ value }: Pair): number | undefined {
  // A document that was parsed has nodes, which have ranges.
  return (value as Node | null)?.range?.[1];
}

/** Removes lines, the one on which a range begins to the one on which it ends. */
function wholeLines(text: string, start: number, end: number): Pick<Edit, 'start' | 'end' | 'after'> {
  const last = text.slice(start, end).trimEnd().length + start;
  const next = text.indexOf('\n', last);
  return { start: text.lastIndexOf('\n', start) + 1, end: next === -1 ? text.length : next + 1, after: '' };
}

/** Another status for a response, and another method for an operation. */
function otherName(key: string): string | undefined {
  if (key === 'delete') return 'post';
  return /^\d{3}$/.test(key) ? `'${Number(key) + 1}'` : undefined;
}

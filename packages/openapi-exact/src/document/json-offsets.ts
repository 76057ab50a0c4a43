const NO_SPACE = /\S/g;
const SCALAR_END = /[\s,\]}]/g;
const STRUCTURE = /["[\]{}]/g;
const STRING_STEP = /["\\]/g;

/** The steps of sought paths: those of several paths are one where they begin alike. */
class Step {
  readonly next = new Map<string, Step>();
  /** Where its key or item begins in the text. */
  offset: number | undefined;

  follow(key: string): Step {
    const known = this.next.get(key) ?? new Step();
    this.next.set(key, known);
    return known;
  }
}

/**
 * The offsets of the last keys or list items of paths that a JSON text has, found in one pass over
 * the text; undefined unless it is JSON. Contracts that programs write are large: a parser of YAML
 * takes a hundred times as long.
 */
export function jsonOffsets(
  text: string,
  paths: readonly (readonly (string | number)[])[],
): readonly (number | undefined)[] | undefined {
  if (!isJson(text)) return undefined;
  const root = new Step();
  for (const path of paths) path.reduce<Step>((step, key) => step.follow(String(key)), root);
  findSteps(text, skipSpace(text, 0), root);
  return paths.map((path) => {
    let [step, offset]: [Step | undefined, number | undefined] = [root, undefined];
    for (const key of path) {
      step = step?.next.get(String(key));
      offset = step?.offset ?? offset;
    }
    return offset;
  });
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Finds the steps below `step` in the value that starts there. @returns the end of the value. */
function findSteps(text: string, start: number, step: Step): number {
  const bracket = text[start];
  if (step.next.size === 0 || (bracket !== '{' && bracket !== '[')) return valueEnd(text, start);
  let at = skipSpace(text, start + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
    const begin = at;
    let key = String(index);
    if (bracket === '{') {
      const end = stringEnd(text, begin);
      // Safe: it is a string of a JSON text.
      key = JSON.parse(text.slice(begin, end)) as string;
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const found = step.next.get(key);
    if (found !== undefined) found.offset = begin;
    at = skipSpace(text, found === undefined ? valueEnd(text, at) : findSteps(text, at, found));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return at + 1;
}

/** The end of the value that begins at an offset. */
function valueEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] !== '{' && text[start] !== '[') return nextOf(SCALAR_END, text, start);
  let depth = 0;
  for (let at = start; ;) {
    const found = nextOf(STRUCTURE, text, at);
    if (text[found] === '"') {
      at = stringEnd(text, found);
      continue;
    }
    depth += text[found] === '{' || text[found] === '[' ? 1 : -1;
    at = found + 1;
    if (depth === 0) return at;
  }
}

/** The end of the string that begins at an offset. */
function stringEnd(text: string, start: number): number {
  let at = nextOf(STRING_STEP, text, start + 1);
  // An escape has two characters.
  while (text[at] === '\\') at = nextOf(STRING_STEP, text, at + 2);
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  return nextOf(NO_SPACE, text, start);
}

/** The offset of the next match; the end of the text without one. */
function nextOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

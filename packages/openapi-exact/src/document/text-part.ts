/** The part of a text that holds what a path leads to. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
  /** The steps of the path to the value that the part is. */
  readonly depth: number;
}

/**
 * Finds the smallest part of a JSON or YAML text in which the last step of a path is: the parser
 * that knows positions needs seconds for a whole contract of several megabytes. The text parses.
 * What is written in another way than usual is not narrowed further.
 */
export function partOf(text: string, path: readonly (string | number)[]): TextPart {
  let part = { start: 0, end: text.length, depth: 0 };
  const narrow = /^\uFEFF?\s*[{[]/.test(text) ? jsonMember : blockMember;
  for (const step of path.slice(0, -1)) {
    const member = narrow(text, part, step);
    if (member === undefined) break;
    part = { ...member, depth: part.depth + 1 };
  }
  return part;
}

type Range = Omit<TextPart, 'depth'>;

const SPACES = /[\s\uFEFF]*/y;
const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const JSON_SCALAR = /[^\s,\]}]+/y;

/** The value of a member of a JSON object, or an item of an array; undefined for other YAML. */
function jsonMember(text: string, { start }: Range, step: string | number): Range | undefined {
  let at = after(SPACES, text, start) ?? start;
  const isObject = text[at] === '{';
  if (!isObject && text[at] !== '[') return undefined;
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
    at = after(SPACES, text, at + 1) ?? at;
    if (text[at] === '}' || text[at] === ']') return undefined;
    let key: string | number = index;
    if (isObject) {
      const end = after(JSON_STRING, text, at);
      if (end === undefined) return undefined;
      key = parsedString(text.slice(at, end));
      at = after(SPACES, text, end) ?? end;
      if (text[at] !== ':') return undefined;
      at = after(SPACES, text, at + 1) ?? at;
    }
    const end = jsonEnd(text, at);
    if (end === undefined) return undefined;
    if (String(key) === String(step)) return { start: at, end };
    at = after(SPACES, text, end) ?? end;
    if (!',}]'.includes(text[at] ?? ' ')) return undefined;
  }
  return undefined;
}

/** The end of a JSON value. */
function jsonEnd(text: string, start: number): number | undefined {
  let levels = 0;
  let at: number | undefined = start;
  do {
    at = after(SPACES, text, at) ?? at;
    const character = text[at];
    if (character === '"') at = after(JSON_STRING, text, at);
    else if (character === '{' || character === '[') {
      levels += 1;
      at += 1;
    } else if (character === '}' || character === ']') {
      levels -= 1;
      at += 1;
    } else if (character === ',' || character === ':') at += 1;
    else at = after(JSON_SCALAR, text, at);
  } while (at !== undefined && levels > 0);
  return at;
}

/** A string of JSON, or of YAML in quotation marks. */
function parsedString(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The end of a match that begins at a place. @param pattern with the flag y. */
function after(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The lines below a key of a block mapping; undefined where they are not a block mapping too. */
function blockMember(text: string, { start, end }: Range, step: string | number): Range | undefined {
  const first = contentLine(text, start, end);
  if (first === undefined || first.isItem) return undefined;
  const key = keyLine(text, { start, end }, first.indent, String(step));
  const below = key === undefined ? undefined : contentLine(text, key, end);
  if (below === undefined || below.indent <= first.indent || below.isItem) return undefined;
  let last: ContentLine | undefined = below;
  while (last !== undefined && last.indent > first.indent) last = contentLine(text, last.end, end);
  return { start: below.start, end: last?.start ?? end };
}

/** The end of the line of a key that has no value on it; undefined unless there is just one. */
function keyLine(text: string, { start, end }: Range, indent: number, key: string): number | undefined {
  const spellings = [key, `'${key.replaceAll("'", "''")}'`, JSON.stringify(key)];
  const found = spellings.flatMap((spelling) => {
    const line = `${' '.repeat(indent)}${spelling}:`;
    const places: number[] = [];
    for (let at = text.indexOf(line, start); at >= 0 && at < end; at = text.indexOf(line, at + 1)) {
      if (at === 0 || text[at - 1] === '\n') places.push(at + line.length);
    }
    return places;
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  return after(/[ \t]*(?:#[^\n]*)?\r?\n/y, text, only);
}

/** A line with content other than a comment. */
interface ContentLine extends Range {
  readonly indent: number;
  /** Whether an item of a list is on it. */
  readonly isItem: boolean;
}

/** The first line with content from the start of a line on. */
function contentLine(text: string, from: number, to: number): ContentLine | undefined {
  for (let start = from; start < to;) {
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak < 0 ? to : Math.min(lineBreak + 1, to);
    const content = after(/ */y, text, start) ?? start;
    if (content < end && !'#\r\n'.includes(text[content] ?? '\n')) {
      return { start, end, indent: content - start, isItem: /-[\s]/y.test(text.slice(content, content + 2)) };
    }
    start = end;
  }
  return undefined;
}

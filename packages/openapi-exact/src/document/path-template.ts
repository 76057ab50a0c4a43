/** A parameter; the group is its name. */
const TEMPLATE_PARAMETER = /\{([^{}]+)\}/g;
/** A name may have any character but braces. */
const SLASH = /\/(?![^{}]*\})/;
const QUESTION_MARK = /\?(?![^{}]*\})/;
const FRAGMENT = /#(?![^{}]*\}).*$/s;

/** A segment of a path template: literal texts with parameters between them. */
export interface Segment {
  /** One more than there are names; the first and the last may be empty. */
  readonly literals: readonly [string, ...string[]];
  /** The same as a request has to write them. */
  readonly written: readonly [string, ...string[]];
  readonly names: readonly string[];
}

/** How the texts of parameters are found in a segment. */
export interface SegmentPattern {
  readonly literals: Segment['literals'];
  readonly first: string;
  /** The literals between parameters, the last first. */
  readonly between: readonly string[];
  readonly last: string;
}

/**
 * The segments of a path template; literals are percent-encoded as in a normalized URL (RFC 3986,
 * section 6.2.2). A path begins with `/`.
 */
export function templateSegments(path: string): Segment[] {
  return rawSegments(path).map(segmentOf);
}

/** The texts between the slashes of a path template. */
export function rawSegments(path: string): string[] {
  const [whole = ''] = path.split(QUESTION_MARK);
  return whole.split(SLASH).slice(1);
}

/** A path template without its fragment, which clients do not send (RFC 3986, section 3.5). */
export function withoutFragment(path: string): string {
  return path.replace(FRAGMENT, '');
}

/** The names in a path template, and its text without them. */
export function templateNames(path: string): { readonly names: readonly string[]; readonly literal: string } {
  const names = [...path.matchAll(TEMPLATE_PARAMETER)].map(([, name = '']) => name);
  return { names, literal: path.replaceAll(TEMPLATE_PARAMETER, '') };
}

/** The parts of the query that a template ends with, such as `beta=true`: a request has each. */
export function templateQuery(path: string): string[] {
  const start = path.search(QUESTION_MARK);
  return start === -1 ? [] : path.slice(start + 1).split('&');
}

function segmentOf(text: string): Segment {
  // A separator with a group: names stand between the literals.
  const [first = '', ...namesAndLiterals] = text.split(TEMPLATE_PARAMETER);
  const laterLiterals = namesAndLiterals.filter((_, index) => index % 2 === 1);
  return {
    literals: [normalizePath(first), ...laterLiterals.map(normalizePath)],
    written: [writtenLiteral(first), ...laterLiterals.map(writtenLiteral)],
    names: namesAndLiterals.filter((_, index) => index % 2 === 0),
  };
}

/**
 * The same path in the form that templates are compared in: capital hexadecimal digits, and
 * percent-encoding where it is needed only (RFC 3986, section 6.2.2).
 */
export function normalizePath(path: string): string {
  if (!/[^\w/.~!$&'()*+,;=:@-]/.test(path)) return path;
  return path.replaceAll(/%[0-9a-f]{2}|[^%]+|%/gi, (part) => {
    if (part.length !== 3 || !part.startsWith('%')) return encodeURI(part);
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    // Those that encodeURIComponent leaves, but an encoded point: it is data in the style `label`.
    return /[\w~!*'()-]/.test(character) ? character : part.toUpperCase();
  });
}

/**
 * The one form in which a request writes a literal text of a template: as the contract does, with
 * percent-encoding for what a URL cannot have (RFC 3986, section 2.1).
 */
export function writtenLiteral(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}|[^%]+|%/gi, (part) => (/^%../.test(part) ? part : encodeURI(part)));
}

/** A text that is the same for templates that match the same paths. */
export function templateShape(path: string): string {
  return JSON.stringify([templateSegments(path).map(({ literals }) => literals), templateQuery(path).toSorted()]);
}

/** @param literals of a segment with parameters. */
export function segmentPattern(literals: Segment['literals']): SegmentPattern {
  const [first, ...laterLiterals] = literals;
  const last = laterLiterals.pop() ?? '';
  return { literals, first, between: laterLiterals.reverse(), last };
}

/**
 * Adds the texts between literals, all but the first as short as possible: in
 * `{latitude}.{format}`, the number may have a dot. Linear in the text.
 * @returns false when they do not match, or one would be empty.
 */
export function collectValues({ first, between, last }: SegmentPattern, text: string, values: string[]): boolean {
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const found: string[] = [];
  let end = text.length - last.length;
  for (const literal of between) {
    const start = text.lastIndexOf(literal, end - literal.length - 1);
    if (start === -1) return false;
    found.unshift(text.slice(start + literal.length, end));
    end = start;
  }
  values.push(text.slice(first.length, end), ...found);
  // Literals that overlap leave less than nothing.
  return first.length < end;
}

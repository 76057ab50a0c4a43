/** A segment of a path template: literal texts with parameters between them. */
export interface Segment {
  /** One more than there are names; the first and the last may be empty. */
  readonly literals: readonly [string, ...string[]];
  readonly names: readonly string[];
}

/** The segments of a path template, with percent-decoded literals. A path begins with `/`. */
export function templateSegments(path: string): Segment[] {
  return path.split('/').slice(1).map(segmentOf);
}

function segmentOf(text: string): Segment {
  // A separator with a group: names stand between the literals.
  const [first = '', ...others] = text.split(/\{([^{}]+)\}/);
  const literals = others.filter((_, index) => index % 2 === 1).map(decodeLiteral);
  return { literals: [decodeLiteral(first), ...literals], names: others.filter((_, index) => index % 2 === 0) };
}

function decodeLiteral(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A `%` that stands for itself.
    return text;
  }
}

/** A text that is the same for templates that match the same paths. */
export function templateShape(path: string): string {
  return JSON.stringify(templateSegments(path).map(({ literals }) => literals));
}

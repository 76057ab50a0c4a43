import {
  collectValues,
  normalizePath,
  segmentPattern,
  templateSegments,
  type Segment,
} from '../document/path-template.ts';
import type { ContractShapes } from './shape.ts';

/** A path of the contract. */
interface Template {
  readonly path: string;
  readonly segments: readonly Segment[];
}

/** The paths of a contract: a service takes the most concrete one for a request. */
export class ContractPaths {
  readonly #templates: readonly Template[];

  constructor({ operations }: ContractShapes) {
    const paths = new Set(Object.keys(operations).map((name) => name.replace(/^\S+ /, '')));
    this.#templates = [...paths].map((path) => ({ path, segments: templateSegments(path) }));
  }

  /**
   * Requires that a written path leads to the path of its call.
   * @param template the path of the call.
   * @throws TypeError for a path that belongs to a more concrete one, as `/todos/new` may.
   */
  requireOwnPath(template: string, written: string): void {
    const own = templateSegments(template);
    const texts = normalizePath(written).split('/').slice(1);
    const owner = this.#templates.find(
      ({ segments }) =>
        segments.length === own.length &&
        isMoreConcrete(segments, own) &&
        segments.every((segment, index) => matches(segment, texts[index] ?? '')),
    );
    if (owner === undefined) return;
    const names = own.flatMap((segment) => segment.names.map((name) => `params.path.${name}`));
    throw new TypeError(`${names.join(' and ')} must not make '${written}': it belongs to ${owner.path}.`);
  }
}

function matches({ literals, names }: Segment, text: string): boolean {
  return names.length === 0 ? literals[0] === text : collectValues(segmentPattern(literals), text, []);
}

/** Whether the first segment that differs is literal, or has more literal text. */
function isMoreConcrete(segments: readonly Segment[], than: readonly Segment[]): boolean {
  const concreteness = ({ literals, names }: Segment): number =>
    names.length === 0 ? Infinity : literals.join('').length;
  const first = segments.findIndex(
    (segment, index) => segment.literals.join('{}') !== than[index]?.literals.join('{}'),
  );
  const [segment, compared] = [segments[first], than[first]];
  return segment !== undefined && compared !== undefined && concreteness(segment) > concreteness(compared);
}

import { createHash } from 'node:crypto';

/** A range of a file, and what a mutant writes there. */
export interface Edit {
  /** What the edit does, such as `negated condition`. */
  readonly operator: string;
  /** Offsets in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/** An edit of a file that tests must notice. */
export interface Mutant extends Edit {
  readonly room: string;
  /** From the root of the project. */
  readonly file: string;
  /** The text at the place of the edit. */
  readonly before: string;
  /** Counted from 1. */
  readonly line: number;
  /** Names the mutant without its line, so that it outlives changes elsewhere in the file. */
  readonly key: string;
  /**
   * Checks that must notice the edit: `lint`, `types`, `contract:diff`, `test:contract` or paths of
   * tests. One is enough.
   */
  readonly noticedBy: readonly string[];
}

/** Names the edits of a file. Equal edits of equal code are distinguished by a number. */
export function mutantsOf(
  { room, file, noticedBy }: Pick<Mutant, 'room' | 'file' | 'noticedBy'>,
  text: string,
  edits: readonly Edit[],
): Mutant[] {
  const seen = new Map<string, number>();
  return edits.map((edit) => {
    const before = text.slice(edit.start, edit.end);
    const code = before.replaceAll(/\s+/g, ' ').trim().slice(0, 100);
    const name = `${file}: ${edit.operator}: ${code}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const key = count === 1 ? name : `${name} (${count})`;
    const line = text.slice(0, edit.start).split('\n').length;
    return { ...edit, room, file, noticedBy, before, line, key };
  });
}

/** The text of a file with the edit made. @throws Error when the file has changed. */
export function applied({ file, before, start, end, after }: Mutant, text: string): string {
  if (text.slice(start, end) !== before) throw new Error(`${file} has changed since its mutants were made.`);
  return text.slice(0, start) + after + text.slice(end);
}

/**
 * Draws mutants, as many of each room as far as it has them. The same seed draws the same ones as
 * long as their code is the same, whatever else changes.
 */
export function sample(mutants: readonly Mutant[], count: number, seed: string): Mutant[] {
  const rank = ({ key }: Mutant): string => createHash('sha256').update(`${seed}\0${key}`).digest('hex');
  const ranked = mutants.map((mutant) => [rank(mutant), mutant] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const perRoom = new Map<string, number>();
  const turns = ranked.map(([, mutant]) => {
    const turn = perRoom.get(mutant.room) ?? 0;
    perRoom.set(mutant.room, turn + 1);
    return { turn, mutant };
  });
  return turns
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

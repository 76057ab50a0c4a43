import { readFile } from 'node:fs/promises';
import type { Mutant } from './mutant.ts';

const PROJECT = new URL('../../', import.meta.url);

/** A fault that no syntax tree shows, such as one of SQL. */
export interface Fault {
  /** What holds as long as the edit is not made. */
  readonly promise: string;
  readonly file: string;
  /** As in `Mutant`. */
  readonly noticedBy: readonly string[];
  /** A text of the file, which is edited where it occurs first. */
  readonly before: string;
  readonly after: string;
}

/** Reads faults from a file of this folder, such as `by-hand.txt`. */
export async function readFaults(name: string): Promise<Fault[]> {
  return parseFaults(await readFile(new URL(name, import.meta.url), 'utf8'));
}

/**
 * Parses faults. Each has a line `# promise` and a line `file: what notices`. Behind them, `- `
 * begins the lines to replace and `+ ` those that replace them; without the latter the text is
 * removed. `## ` begins a heading.
 */
function parseFaults(text: string): Fault[] {
  const blocks = text.replaceAll(/^## .*$/gm, '').split(/^# /m);
  return blocks.slice(1).map((block) => {
    const [promise = '', place = '', ...lines] = block.trimEnd().split('\n');
    const [file = '', ...noticedBy] = place.split(/:(?: |$)| /).filter(Boolean);
    return { promise, file, noticedBy, before: linesWith('-', lines), after: linesWith('+', lines) };
  });
}

function linesWith(sign: string, lines: readonly string[]): string {
  const own = lines.filter((line) => line.startsWith(sign));
  return own.map((line) => line.slice(2)).join('\n');
}

/** The mutants that are written by hand. @throws Error for one that does not fit its file. */
export async function mutantsByHand(): Promise<Mutant[]> {
  const faults = await readFaults('by-hand.txt');
  return Promise.all(
    faults.map(async (fault) => faultIn(await readFile(new URL(fault.file, PROJECT), 'utf8'), fault, 'by-hand')),
  );
}

/** A fault as a mutant of the text of its file. @throws Error when the text does not have it. */
export function faultIn(text: string, { promise, file, noticedBy, before, after }: Fault, room: string): Mutant {
  const start = text.indexOf(before);
  if (before === '' || start === -1) throw new Error(`'${promise}' is out of date: its text is not in ${file}.`);
  const line = text.slice(0, start).split('\n').length;
  const edit = { operator: promise, start, end: start + before.length, after };
  return { ...edit, room, file, before, line, noticedBy, key: `${file}: ${promise}` };
}

import { readFile } from 'node:fs/promises';

/** An edit that breaks one promise of the project. */
export interface Mutant {
  /** What holds as long as the edit is not made. */
  readonly promise: string;
  /** The edited file, from the root of the project. */
  readonly file: string;
  /**
   * Checks that must notice the edit: `lint`, `types`, `contract:diff` or test files. One is
   * enough.
   */
  readonly noticedBy: readonly string[];
  /** A text of the file, which is edited where it occurs first. */
  readonly before: string;
  readonly after: string;
}

/** Reads mutants from files of this folder, such as `service.txt`. */
export async function readMutants(...names: readonly string[]): Promise<readonly Mutant[]> {
  const files = names.map((name) => readFile(new URL(name, import.meta.url), 'utf8'));
  return (await Promise.all(files)).flatMap(parseMutants);
}

/**
 * Parses mutants. Each has a line `# promise` and a line `file: what notices`. Behind them, `- `
 * begins the lines to replace and `+ ` those that replace them; without the latter the text is
 * removed, without the former the file is new. `## ` begins a heading.
 */
function parseMutants(text: string): readonly Mutant[] {
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

/** @returns the text of its file with the edit made. @throws Error when it cannot be made. */
export function applied(mutant: Mutant, text: string): string {
  const problem = staleness(text, mutant);
  if (problem !== undefined) throw new Error(problem);
  return text.replace(mutant.before, () => mutant.after);
}

/** Why a mutant cannot be applied to the text of its file; undefined when it can. */
export function staleness(text: string, { promise, file, before, after }: Mutant): string | undefined {
  if (before === '' || !text.includes(before)) return `'${promise}' is out of date: its text is not in ${file}.`;
  return before === after ? `'${promise}' changes nothing.` : undefined;
}

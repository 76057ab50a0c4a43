import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A mistake that somebody could make, as a replacement of text, and what should notice it. */
export interface Fault {
  /** What the mistake does, in a few words. */
  readonly name: string;
  /** The file, from the root of the project. */
  readonly file: string;
  /** A text that occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** The tests that should fail; without any it is the compiler that should object. */
  readonly tests: readonly string[];
}

/** What noticed a fault, and what it said or which promise failed. */
export interface Objection {
  readonly by: string;
  readonly what: string;
}

/**
 * Puts a fault into the copy of the project in this folder.
 * @returns puts everything back that it and what came after it may have changed.
 * @throws Error when the text to replace does not occur exactly once.
 */
export async function applyFault(folder: string, fault: Fault): Promise<() => Promise<void>> {
  const path = join(folder, fault.file);
  const text = await readFile(path, 'utf8');
  const problem = staleness(text, fault);
  if (problem !== undefined) throw new Error(problem);
  await writeFile(
    path,
    text.replace(fault.from, () => fault.to),
  );
  return () => writeFile(path, text);
}

/** Why a fault cannot be applied to the text of its file; undefined when it can. */
export function staleness(text: string, { name, file, from, to }: Fault): string | undefined {
  const count = text.split(from).length - 1;
  if (count !== 1) return `The fault '${name}' is out of date: its text occurs ${count} times in ${file}, not once.`;
  return from === to ? `The fault '${name}' changes nothing.` : undefined;
}

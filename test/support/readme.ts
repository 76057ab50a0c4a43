import { readFile } from 'node:fs/promises';

/** A file at the top level of the project. */
export function readProjectFile(name: string): Promise<string> {
  return readFile(new URL(`../../${name}`, import.meta.url), 'utf8');
}

/**
 * The code blocks of README.md of one language that hold a text.
 * @throws Error when there is not exactly one.
 */
export async function codeBlock(language: string, text: string): Promise<string> {
  const readme = await readProjectFile('README.md');
  const blocks = [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, tongue, code = '']) => ({ tongue, code }));
  const [block, ...others] = blocks.filter(({ tongue, code }) => tongue === language && code.includes(text));
  if (block === undefined || others.length > 0) {
    throw new Error(
      `README.md must have one block of ${language} with "${text}", not ${others.length + (block ? 1 : 0)}.`,
    );
  }
  return block.code;
}

/** The cells of a table in a section of README.md, without head and code marks. */
export async function tableOf(heading: string, index = 0): Promise<string[][]> {
  const readme = await readProjectFile('README.md');
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/(?:^\|.*\|$\n)+/gm)][index]?.[0].trim().split('\n') ?? [];
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/**
 * The code blocks of a language under a heading of README.md, so that tests run what readers read.
 * @throws Error when there is none.
 */
export async function readmeBlocks(heading: string, language: string): Promise<string[]> {
  const readme = await readProjectFile('README.md');
  const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  if (blocks.length === 0) throw new Error(`The README has no ${language} under "${heading}".`);
  return blocks.map(([, , code = '']) => code);
}

import { readdir, readFile } from 'node:fs/promises';

/** A file of the project, such as README.md. */
export function readProjectFile(name: string): Promise<string> {
  return readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');
}

/** The documents of the project: those at its top level and the guides. */
export async function documentNames(): Promise<string[]> {
  const root = new URL('../../../', import.meta.url);
  const names = [...(await readdir(root)), ...(await readdir(new URL('docs', root))).map((name) => `docs/${name}`)];
  return names.filter((name) => name.endsWith('.md'));
}

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** The paragraph above it. */
  readonly lead: string;
}

/** The code blocks of a document, in order. */
export async function codeBlocks(document: string): Promise<CodeBlock[]> {
  const text = await readProjectFile(document);
  return [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(({ 1: language = '', 2: code = '', index }) => {
    const lead = text.slice(0, index).trimEnd().split('\n\n').at(-1) ?? '';
    return { language, code, lead };
  });
}

/** The one code block of a document that has a language and holds a text. */
export async function codeBlock(document: string, language: string, text = ''): Promise<string> {
  const all = await codeBlocks(document);
  const [block, ...others] = all.filter((each) => each.language === language && each.code.includes(text));
  if (block === undefined || others.length > 0) {
    throw new Error(`${document} must have one block of ${language} with "${text}".`);
  }
  return block.code;
}

/** The cells of the table under a heading of a document, without its head and code marks. */
export async function tableOf(document: string, heading: string): Promise<string[][]> {
  const text = await readProjectFile(document);
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const [table = ''] = /(?:^\|.*\|$\n)+/m.exec(section) ?? [];
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.replaceAll('`', '').trim()));
}

/**
 * Holds the workflows of CI against GitHub's own description of them: keys, expressions, events. Prints one line for each mistake and
 * fails if there is any.
 */
import { registerLogger, validate } from '@actions/languageservice';
import { readdir, readFile } from 'node:fs/promises';
import { TextDocument } from 'vscode-languageserver-textdocument';

const WORKFLOWS = new URL('../.github/workflows/', import.meta.url);

/** The validator logs what went wrong in itself and finds nothing then: that is a failure too. */
const fail = (message: string): never => {
  throw new Error(message);
};
registerLogger({ error: fail, warn: () => undefined, info: () => undefined, log: () => undefined });

/** @returns the mistakes of a workflow, with their lines. */
async function mistakes(name: string, content: string): Promise<string[]> {
  // The validator keeps what it has read by its name.
  const found = await validate(TextDocument.create(`${WORKFLOWS.href}${name}`, 'yaml', 1, content));
  return found.map(({ message, range }) => {
    const text = typeof message === 'string' ? message : message.value;
    return `.github/workflows/${name}:${range.start.line + 1} ${text}`;
  });
}

// One that sees nothing here sees nothing anywhere.
const probe = await mistakes('probe.yml', 'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    step: []\n');
if (probe.length === 0) throw new Error('The validator of workflows sees no mistake where there is one.');

const names = await readdir(WORKFLOWS);
const all = await Promise.all(
  names.map(async (name) => mistakes(name, await readFile(new URL(name, WORKFLOWS), 'utf8'))),
);
for (const mistake of all.flat()) console.error(mistake);
process.exitCode = all.flat().length === 0 ? 0 : 1;
